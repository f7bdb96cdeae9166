// PeerTransport
