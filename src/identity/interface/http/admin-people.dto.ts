import { Type } from 'class-transformer';
import { IsBoolean, IsIn, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { PEOPLE_STATES } from '../../application/queries/list-people.js';

const STRING = { message: 'must be a string' };

/** Query of `GET /api/admin/people`. */
export class ListPeopleQuery {
  @IsOptional()
  @IsString(STRING)
  q?: string;

  @IsOptional()
  @IsIn(PEOPLE_STATES, { message: `must be one of ${PEOPLE_STATES.join(', ')}` })
  state?: (typeof PEOPLE_STATES)[number];

  @IsOptional()
  @Type(() => Number)
  @IsInt({ message: 'must be a whole number' })
  @Min(1, { message: 'must be 1 or more' })
  @Max(1_000_000, { message: 'must be 1,000,000 or less' })
  page?: number;
}

/** Body of `POST /api/admin/people`. */
export class CreatePersonBody {
  @IsString(STRING)
  email!: string;

  @IsString(STRING)
  displayName!: string;

  @IsOptional()
  @IsBoolean({ message: 'must be true or false' })
  send?: boolean;
}

/** Body of `POST /api/admin/invites`. */
export class InvitePersonBody {
  @IsString(STRING)
  email!: string;

  @IsOptional()
  @IsBoolean({ message: 'must be true or false' })
  send?: boolean;
}

/** Body of `POST /api/admin/people/{id}/suspend`. */
export class SuspendPersonBody {
  @IsOptional()
  @IsString(STRING)
  reason?: string;
}
