-- The connection that reserved an upload, so that it ends with that connection. Null for a person on the web, and for what
-- an older release reserves while both run.
ALTER TABLE artifacts.upload ADD COLUMN connection_id uuid;
