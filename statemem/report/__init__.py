"""Reports: what an analysis of one conversation found, for people and for programs."""

from .report import Report

__all__ = ["Report"]
