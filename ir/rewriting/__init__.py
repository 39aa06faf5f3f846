"""Programs made from programs: edits, several logs as one, normal names."""
