// SessionCRDT
