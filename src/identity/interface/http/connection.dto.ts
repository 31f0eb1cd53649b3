import { IsBoolean, IsOptional, IsString, IsUUID, ValidateIf } from 'class-validator';

/** Body of `PUT /api/connection/label`. */
export class LabelBody {
  @IsString({ message: 'must be text' })
  label!: string;
}

/** Body of `POST /api/account/connections/revoke`: a group, or `all: true`. */
export class RevokeConnectionsBody {
  @IsOptional()
  @IsBoolean({ message: 'must be true or left out' })
  all?: boolean;

  @ValidateIf((body: RevokeConnectionsBody) => body.all !== true)
  @IsString({ message: 'must name the app to revoke, unless all is true' })
  clientId?: string;

  @IsOptional()
  @IsString({ message: 'must be text or null' })
  label?: string | null;

  @IsOptional()
  @IsUUID(undefined, { message: 'must be a UUID or null' })
  projectId?: string | null;
}
