import { Type } from 'class-transformer';
import { IsArray, IsBoolean, IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';

const STRING = { message: 'must be a string' };
const NUMBER = { message: 'must be a whole number' };
const BOOLEAN = { message: 'must be true or false' };
const LIST = { message: 'must be a list' };

/** Body of `PATCH …/artifacts/{id}`. */
export class ChangeArtifactBody {
  @IsOptional()
  @IsString(STRING)
  name?: string | null;

  @IsOptional()
  @IsString(STRING)
  description?: string | null;

  @IsOptional()
  @IsString(STRING)
  privacy?: string | null;

  @IsOptional()
  @IsString(STRING)
  workspaceId?: string | null;

  /** `edit` of the artifact as the page shows it. */
  @IsInt(NUMBER)
  version!: number;
}

/** Body of `POST …/{id}/duplicate`. */
export class DuplicateBody {
  @IsOptional()
  @IsString(STRING)
  name?: string | null;

  @IsOptional()
  @IsString(STRING)
  workspaceId?: string | null;
}

/** Body of `PUT …/{id}/cards`: one of the two. */
export class CardsBody {
  @IsOptional()
  @IsArray(LIST)
  @IsString({ each: true, message: 'must hold strings only' })
  cardIds?: string[] | null;

  @IsOptional()
  @IsArray(LIST)
  @IsInt({ each: true, message: 'must hold whole numbers only' })
  cardNumbers?: number[] | null;
}

/** One operation of an edit. */
export class ChangeBody {
  @IsString(STRING)
  op!: string;

  @IsOptional()
  @IsString(STRING)
  path?: string | null;

  @IsOptional()
  @IsString(STRING)
  oldText?: string | null;

  @IsOptional()
  @IsString(STRING)
  newText?: string | null;

  @IsOptional()
  @IsBoolean(BOOLEAN)
  replaceAll?: boolean | null;

  @IsOptional()
  @IsInt(NUMBER)
  expectedReplacements?: number | null;

  @IsOptional()
  @IsString(STRING)
  content?: string | null;

  @IsOptional()
  @IsString(STRING)
  encoding?: string | null;

  @IsOptional()
  @IsString(STRING)
  fromPath?: string | null;

  @IsOptional()
  @IsString(STRING)
  toPath?: string | null;
}

/** Body of `POST …/{id}/edits`. */
export class EditBody {
  @IsOptional()
  @IsString(STRING)
  baseRevision?: string | null;

  @IsOptional()
  @IsString(STRING)
  commitMessage?: string | null;

  @IsArray(LIST)
  @ValidateNested({ each: true })
  @Type(() => ChangeBody)
  changes!: ChangeBody[];
}

/** Body of `POST …/workspaces` and `PATCH …/workspaces/{id}`. */
export class WorkspaceBody {
  @IsOptional()
  @IsString(STRING)
  name?: string | null;

  @IsOptional()
  @IsString(STRING)
  agentAccess?: string | null;
}
