import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';

const STRING = { message: 'must be a string' };
const VERSION = { message: 'must be the version that you read, a whole number' };

/** Body of `POST /api/projects/{p}/invitations`. */
export class InviteBody {
  @IsString(STRING)
  role!: string;

  @IsOptional()
  @IsString(STRING)
  email?: string | null;
}

/** Body of `PATCH /api/projects/{p}/members/{personId}`. */
export class ChangeRoleBody {
  @IsString(STRING)
  role!: string;

  @IsInt(VERSION)
  @Min(1, VERSION)
  @Max(2_147_483_647, VERSION)
  version!: number;
}

/** Body of `POST /api/projects/{p}/transfer`. */
export class TransferBody {
  @IsString(STRING)
  personId!: string;
}

/** Body of `POST /api/admin/projects/{id}/transfer`. */
export class AdminTransferBody {
  @IsString(STRING)
  newOwnerEmail!: string;
}

/** Query of `GET /api/admin/projects`. */
export class AllProjectsQuery {
  @IsOptional()
  @IsString(STRING)
  @MaxLength(200, { message: 'must be at most 200 characters' })
  q?: string;

  @IsOptional()
  @Type(() => Number)
  @IsInt({ message: 'must be a whole number' })
  page?: number;
}
