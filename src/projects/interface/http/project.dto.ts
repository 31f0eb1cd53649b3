import { IsArray, IsInt, IsOptional, IsString, Max, Min, ValidateIf } from 'class-validator';

const STRING = { message: 'must be a string' };
const VERSION = { message: 'must be the version that you read, a whole number' };

/** Left out is fine, null is not: null says nothing that an empty string would not say better. */
const MayBeAbsent = () => ValidateIf((_, value) => value !== undefined);

/** Body of `POST /api/projects`. */
export class CreateProjectBody {
  @IsString(STRING)
  name!: string;

  @IsOptional()
  @IsString(STRING)
  description?: string | null;

  @IsOptional()
  @IsString(STRING)
  searchLanguage?: string | null;

  @IsOptional()
  @IsString(STRING)
  templateKey?: string | null;
}

/** Body of `PATCH /api/projects/{p}`. */
export class UpdateProjectBody {
  @MayBeAbsent()
  @IsString(STRING)
  name?: string;

  @MayBeAbsent()
  @IsString(STRING)
  description?: string;

  @IsOptional()
  @IsString(STRING)
  domain?: string | null;

  @MayBeAbsent()
  @IsString(STRING)
  searchLanguage?: string;

  @IsInt(VERSION)
  @Min(1, VERSION)
  @Max(2_147_483_647, VERSION)
  version!: number;
}

/** Body of `PUT /api/projects/{p}/origins`. */
export class SetOriginsBody {
  @IsArray({ message: 'must be a list of origins' })
  @IsString({ each: true, message: 'must hold strings only' })
  origins!: string[];

  @IsInt(VERSION)
  @Min(1, VERSION)
  @Max(2_147_483_647, VERSION)
  version!: number;
}

/** Body of `POST /api/projects/{p}/delete`. */
export class DeleteProjectBody {
  @IsString(STRING)
  typedName!: string;
}
