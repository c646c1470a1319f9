"""The version of the C library that this package was made for; a test compares it with src/base/version.h."""

VERSION = "0.1"
API = 2
