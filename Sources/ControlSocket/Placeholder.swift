// ControlSocket
