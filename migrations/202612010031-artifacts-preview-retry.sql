-- A build that ran out of time or memory may have met a busy machine: from then on it is tried again.
ALTER TABLE artifacts.preview_build ADD COLUMN retry_at timestamptz(3);
