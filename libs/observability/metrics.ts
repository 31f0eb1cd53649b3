import { Injectable } from '@nestjs/common';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Prometheus metrics of one process (`platform.md` 11.2). Labels never hold ids, hosts of clients or text of users. */
@Injectable()
export class Metrics {
  readonly registry = new Registry();

  readonly httpRequests = this.counter('http_requests_total', 'HTTP requests answered.', [
    'route',
    'method',
    'status',
  ]);
  readonly httpDuration = this.histogram('http_request_duration_seconds', 'Time to answer a request.', [
    'route',
    'method',
  ]);
  /** `name` is the one that the client used, which may be a compatibility name of the tool. */
  readonly toolCalls = this.counter('mcp_tool_calls_total', 'MCP tool calls by outcome.', [
    'tool',
    'name',
    'outcome',
  ]);
  readonly toolDuration = this.histogram('mcp_tool_duration_seconds', 'Time of an MCP tool call.', ['tool']);
  readonly authFailures = this.counter('auth_failures_total', 'Sign-ins and tokens refused.', ['reason']);
  readonly rateLimited = this.counter('rate_limited_total', 'Requests over a rate limit.', ['limit']);
  readonly rateLimitStoreErrors = this.counter(
    'rate_limit_store_errors_total',
    'Rate limits that could not be counted.',
    [],
  );
  readonly queueJobs = this.gauge('queue_jobs', 'Jobs by queue and state.', ['queue', 'state']);
  readonly jobDuration = this.histogram('job_duration_seconds', 'Time of a background job.', [
    'queue',
    'name',
  ]);
  readonly jobFailures = this.counter('job_failures_total', 'Attempts of background jobs that failed.', [
    'queue',
    'name',
  ]);
  readonly outboxLag = this.gauge(
    'outbox_lag_seconds',
    'Age of the oldest event that was not delivered.',
    [],
  );
  readonly liveStreams = this.gauge('live_streams', 'Open event streams of browsers.', []);
  readonly poolInUse = this.gauge('db_pool_in_use', 'Database connections in use.', []);
  readonly metadataFetches = this.counter('cimd_fetch_total', 'Fetches of client metadata documents.', [
    'outcome',
  ]);

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  private counter(name: string, help: string, labelNames: string[]): Counter {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  private gauge(name: string, help: string, labelNames: string[]): Gauge {
    return new Gauge({ name, help, labelNames, registers: [this.registry] });
  }

  private histogram(name: string, help: string, labelNames: string[]): Histogram {
    return new Histogram({ name, help, labelNames, buckets: SECONDS, registers: [this.registry] });
  }
}
