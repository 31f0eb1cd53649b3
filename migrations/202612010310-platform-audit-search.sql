-- @outside-transaction: the log may hold millions of records, and no write should wait for its indexes.
-- Rare outcomes and channels are found by their own index; nearly every record is a success and needs none.
DROP INDEX CONCURRENTLY IF EXISTS platform.audit_events_outcome;
CREATE INDEX CONCURRENTLY audit_events_outcome ON platform.audit_events (outcome, at DESC, id DESC)
  WHERE outcome <> 'success';
DROP INDEX CONCURRENTLY IF EXISTS platform.audit_events_channel;
CREATE INDEX CONCURRENTLY audit_events_channel ON platform.audit_events (channel, at DESC, id DESC);
