import { Type } from 'class-transformer';
import { Allow, IsIn, IsInt, IsOptional, IsString, MaxLength } from 'class-validator';

/** The value may be of any type: the definition of the flag says which, and the use case checks it. */
export class SetFlagBody {
  @Allow()
  value!: unknown;
}

export class AuditQuery {
  @IsOptional()
  @IsString({ message: 'must be a text' })
  @MaxLength(500, { message: 'must be at most 500 characters' })
  cursor?: string;

  @IsOptional()
  @IsString({ message: 'must be a text' })
  @MaxLength(200, { message: 'must be at most 200 characters' })
  actor?: string;

  @IsOptional()
  @IsString({ message: 'must be a text' })
  @MaxLength(200, { message: 'must be at most 200 characters' })
  operation?: string;

  @IsOptional()
  @IsIn(['', 'web', 'mcp', 'api', 'widget', 'oauth', 'console', 'system'], {
    message: 'must be web, mcp, api, widget, oauth, console or system',
  })
  channel?: string;

  @IsOptional()
  @IsIn(['', 'success', 'refused', 'failed'], { message: 'must be success, refused or failed' })
  outcome?: string;

  @IsOptional()
  @IsString({ message: 'must be a text' })
  @MaxLength(200, { message: 'must be at most 200 characters' })
  project?: string;

  @IsOptional()
  @IsString({ message: 'must be a text' })
  @MaxLength(200, { message: 'must be at most 200 characters' })
  subject?: string;

  @IsOptional()
  @IsString({ message: 'must be a time' })
  @MaxLength(40, { message: 'must be a time' })
  from?: string;

  @IsOptional()
  @IsString({ message: 'must be a time' })
  @MaxLength(40, { message: 'must be a time' })
  to?: string;
}

export class JobsQuery {
  @IsOptional()
  @IsIn(['failed', 'waiting', 'delayed', 'active', 'schedules'], {
    message: 'must be failed, waiting, delayed, active or schedules',
  })
  tab?: 'failed' | 'waiting' | 'delayed' | 'active' | 'schedules';

  @IsOptional()
  @Type(() => Number)
  @IsInt({ message: 'must be a whole number' })
  page?: number;

  @IsOptional()
  @IsString({ message: 'must be a text' })
  @MaxLength(100, { message: 'must be at most 100 characters' })
  queue?: string;
}

export class RetryQueueBody {
  @IsString({ message: 'must name a queue' })
  @MaxLength(100, { message: 'must be at most 100 characters' })
  queue!: string;
}
