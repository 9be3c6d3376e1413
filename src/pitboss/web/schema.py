"""Prints the OpenAPI description; the front end's types are generated from it."""

import sys

import msgspec

from pitboss.house.config import Config
from pitboss.web.server import application

if __name__ == "__main__":
    sys.stdout.buffer.write(msgspec.json.encode(application(Config()).openapi_schema.to_schema(), enc_hook=str))
