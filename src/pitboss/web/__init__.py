"""The edge of the house: HTTP and WebSocket, and nothing that decides."""
