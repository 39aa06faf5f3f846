"""Premises: what conclusions rest on, and whether that still holds."""
