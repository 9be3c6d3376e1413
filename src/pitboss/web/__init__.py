"""HTTP and WebSocket interface of the house; decisions are made in `house` and `table`."""
