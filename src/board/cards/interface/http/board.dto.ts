import { Type } from 'class-transformer';
import { IsArray, IsBoolean, IsInt, IsOptional, IsString, ValidateIf, ValidateNested } from 'class-validator';

const STRING = { message: 'must be a string' };
const NUMBER = { message: 'must be a whole number' };
const BOOLEAN = { message: 'must be true or false' };
const LIST = { message: 'must be a list' };
const EACH_STRING = { each: true, message: 'must hold strings only' };

/** One link of a card to another. */
export class RelatedCardBody {
  @IsString(STRING)
  cardId!: string;

  @IsOptional()
  @IsString(STRING)
  kind?: string | null;
}

/** What the forms of a new and of an existing card share. */
export class CardFieldsBody {
  @IsOptional()
  @IsString(STRING)
  title?: string | null;

  @IsOptional()
  @IsString(STRING)
  body?: string | null;

  @IsOptional()
  @IsString(STRING)
  type?: string | null;

  @IsOptional()
  @IsString(STRING)
  columnId?: string | null;

  /** Null takes the card out of its epic. */
  @IsOptional()
  @IsString(STRING)
  parentCardId?: string | null;

  @IsOptional()
  @IsBoolean(BOOLEAN)
  laneEnabled?: boolean | null;

  @IsOptional()
  @IsArray(LIST)
  @IsString(EACH_STRING)
  pullRequestUrls?: string[] | null;

  @IsOptional()
  @IsArray(LIST)
  @IsString(EACH_STRING)
  documentIds?: string[] | null;

  @IsOptional()
  @IsArray(LIST)
  @IsString(EACH_STRING)
  artifactIds?: string[] | null;

  @IsOptional()
  @IsArray(LIST)
  @ValidateNested({ each: true })
  @Type(() => RelatedCardBody)
  relatedCards?: RelatedCardBody[] | null;

  @IsOptional()
  @IsString(STRING)
  childDesign?: string | null;
}

/** Body of `POST …/cards`. */
export class CreateCardBody extends CardFieldsBody {}

/** Body of `PATCH …/cards/{id}`. */
export class UpdateCardBody extends CardFieldsBody {
  @IsOptional()
  @IsInt(NUMBER)
  contentVersion?: number | null;

  @IsOptional()
  @IsBoolean(BOOLEAN)
  force?: boolean | null;

  @IsOptional()
  @IsString(STRING)
  fromColumnId?: string | null;

  @IsOptional()
  @IsBoolean(BOOLEAN)
  makeUnmanaged?: boolean | null;
}

/** Body of `POST …/cards/{id}/move`. */
export class MoveCardBody {
  @IsString(STRING)
  columnId!: string;

  @IsOptional()
  @IsString(STRING)
  fromColumnId?: string | null;

  @IsOptional()
  @IsInt(NUMBER)
  position?: number | null;

  @IsOptional()
  @IsString(STRING)
  beforeCardId?: string | null;

  @IsOptional()
  @IsString(STRING)
  afterCardId?: string | null;

  /** Absent keeps the parent, null removes it. */
  @ValidateIf((body: MoveCardBody) => body.parentCardId !== null && body.parentCardId !== undefined)
  @IsString(STRING)
  parentCardId?: string | null;

  @IsOptional()
  @IsBoolean(BOOLEAN)
  makeUnmanaged?: boolean | null;
}

/** Body of `POST …/cards/move`. */
export class MoveCardsBody {
  @IsArray(LIST)
  @IsString(EACH_STRING)
  cardIds!: string[];

  @IsString(STRING)
  columnId!: string;
}

/** Body of `DELETE …/cards/{id}`. */
export class DeleteCardBody {
  @IsOptional()
  @IsInt(NUMBER)
  confirm?: number | null;
}

export class HoldBody {
  @IsOptional()
  @IsString(STRING)
  note?: string | null;
}

export class LaneBody {
  @IsBoolean(BOOLEAN)
  enabled!: boolean;
}

/** Body of `PUT …/documents/{id}/cards`. */
export class DocumentCardsBody {
  @IsArray(LIST)
  @IsString(EACH_STRING)
  cardIds!: string[];
}

export class CreateColumnBody {
  @IsString(STRING)
  label!: string;

  @IsOptional()
  @IsString(STRING)
  colour?: string | null;
}

export class ConfigureColumnBody {
  @IsOptional()
  @IsString(STRING)
  label?: string | null;

  @IsOptional()
  @IsBoolean(BOOLEAN)
  terminal?: boolean | null;

  @IsOptional()
  @IsString(STRING)
  colour?: string | null;

  @IsInt(NUMBER)
  revision!: number;
}

export class ColumnOrderBody {
  @IsArray(LIST)
  @IsString(EACH_STRING)
  columnIds!: string[];

  @IsInt(NUMBER)
  columnsRevision!: number;
}

export class DeleteColumnBody {
  @IsOptional()
  @IsString(STRING)
  targetColumnId?: string | null;
}

export class BoardSettingsBody {
  @IsInt(NUMBER)
  finishedWindowDays!: number;
}
