import { Type } from 'class-transformer';
import { IsArray, IsBoolean, IsInt, IsObject, IsOptional, IsString, ValidateNested } from 'class-validator';

const STRING = { message: 'must be a string' };
const NUMBER = { message: 'must be a whole number' };
const BOOLEAN = { message: 'must be true or false' };
const STRINGS = { message: 'must be a list of strings' };
const EACH_STRING = { each: true, message: 'must hold strings only' };

/** Body of `POST …/documents`. */
export class CreateDocumentBody {
  @IsOptional()
  @IsString(STRING)
  title?: string | null;

  @IsOptional()
  @IsString(STRING)
  markdown?: string | null;

  @IsOptional()
  @IsString(STRING)
  description?: string | null;

  @IsOptional()
  @IsArray(STRINGS)
  @IsString(EACH_STRING)
  tags?: string[] | null;

  @IsOptional()
  @IsString(STRING)
  language?: string | null;

  @IsOptional()
  @IsArray(STRINGS)
  @IsString(EACH_STRING)
  references?: string[] | null;

  @IsOptional()
  @IsString(STRING)
  series?: string | null;

  @IsOptional()
  @IsInt(NUMBER)
  seriesOrdinal?: number | null;

  @IsOptional()
  @IsBoolean(BOOLEAN)
  draft?: boolean | null;
}

/** Body of `POST …/documents/preview`. */
export class PreviewBody {
  @IsOptional()
  @IsString(STRING)
  markdown?: string | null;
}

/** Body of `PATCH …/documents/{id}`. */
export class ChangeDocumentBody {
  @IsOptional()
  @IsString(STRING)
  title?: string | null;

  @IsOptional()
  @IsArray(STRINGS)
  @IsString(EACH_STRING)
  tags?: string[] | null;

  @IsOptional()
  @IsArray(STRINGS)
  @IsString(EACH_STRING)
  references?: string[] | null;

  /** Null and the empty text take the document out of its series. */
  @IsOptional()
  @IsString(STRING)
  series?: string | null;

  @IsOptional()
  @IsInt(NUMBER)
  seriesOrdinal?: number | null;
}

/** Body of `POST …/{id}/versions`. */
export class ReviseDocumentBody {
  @IsOptional()
  @IsString(STRING)
  title?: string | null;

  @IsOptional()
  @IsString(STRING)
  markdown?: string | null;

  @IsOptional()
  @IsString(STRING)
  description?: string | null;

  @IsOptional()
  @IsArray(STRINGS)
  @IsString(EACH_STRING)
  references?: string[] | null;

  @IsInt(NUMBER)
  baseVersion!: number;
}

/** Body of `POST …/{id}/archive`. */
export class ArchiveBody {
  @IsOptional()
  @IsString(STRING)
  reason?: string | null;
}

/** Body of `POST …/{id}/read`. */
export class ReadBody {
  @IsInt(NUMBER)
  version!: number;
}

/** Body of `PATCH …/series/{id}`. */
export class RenameSeriesBody {
  @IsOptional()
  @IsString(STRING)
  name?: string | null;
}

/** A selection: its words, and where they begin in the plain text in UTF-16 code units. */
export class SelectionBody {
  @IsString(STRING)
  quote!: string;

  @IsInt(NUMBER)
  start!: number;
}

/** Body of `POST …/{id}/comments`. */
export class AddCommentBody {
  @IsInt(NUMBER)
  version!: number;

  @IsOptional()
  @IsObject({ message: 'must be a selection with quote and start' })
  @ValidateNested()
  @Type(() => SelectionBody)
  anchor?: SelectionBody | null;

  @IsOptional()
  @IsString(STRING)
  body?: string | null;

  @IsOptional()
  @IsString(STRING)
  replacement?: string | null;
}

/** Body of replies and edits. */
export class TextBody {
  @IsOptional()
  @IsString(STRING)
  body?: string | null;
}

/** Body of `PUT …/comments/{cid}/anchor`. */
export class ReattachBody {
  @IsInt(NUMBER)
  version!: number;

  @IsObject({ message: 'must be a selection with quote and start' })
  @ValidateNested()
  @Type(() => SelectionBody)
  anchor!: SelectionBody;
}

/** Body of `POST …/{id}/verdicts`. */
export class SubmitVerdictBody {
  @IsInt(NUMBER)
  version!: number;

  @IsString(STRING)
  verdict!: string;

  @IsOptional()
  @IsString(STRING)
  note?: string | null;

  /** Null says that the page showed none; left out does not check. */
  @IsOptional()
  @IsString(STRING)
  previousVerdictId?: string | null;
}

/** Body of `PUT …/decisions/{decisionId}`. */
export class DecisionBody {
  @IsInt(NUMBER)
  version!: number;

  @IsOptional()
  @IsArray({ message: 'must be a list of whole numbers' })
  @IsInt({ each: true, message: 'must hold whole numbers only' })
  indexes?: number[] | null;

  @IsOptional()
  @IsArray(STRINGS)
  @IsString(EACH_STRING)
  labels?: string[] | null;

  @IsOptional()
  @IsString(STRING)
  note?: string | null;
}

/** Body of `PUT …/sections/{headingId}`. */
export class SectionBody {
  @IsInt(NUMBER)
  version!: number;

  @IsBoolean(BOOLEAN)
  approved!: boolean;
}
