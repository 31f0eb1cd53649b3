import { IsBoolean, IsInt, IsObject, IsOptional, IsString, Max, Min } from 'class-validator';

const VERSION = { message: 'must be the version that you read, a whole number' };

/** Body of `PATCH /api/projects/{p}/automation`. */
export class UpdateAutomationBody {
  @IsOptional()
  @IsBoolean({ message: 'must be true or false' })
  enabled?: boolean | null;

  @IsOptional()
  @IsObject({ message: 'must be an object of values by key' })
  values?: Record<string, unknown> | null;

  @IsInt(VERSION)
  @Min(1, VERSION)
  @Max(2_147_483_647, VERSION)
  version!: number;
}

/** Body of `PUT /api/projects/{p}/workflow/slots/{slot}`. */
export class LinkSlotBody {
  @IsString({ message: 'must be the id of a column' })
  columnId!: string;
}
