import { Type } from 'class-transformer';
import { IsArray, IsInt, IsOptional, IsString, Min } from 'class-validator';

/** Which version is published; the latest when none is named. */
export class PublishBody {
  @IsOptional()
  @IsInt({ message: 'must be a whole number' })
  @Min(1, { message: 'must be 1 or more' })
  version?: number;
}

/** Why an admin takes a page down; the people of the project read it. */
export class TakeDownBody {
  @IsString({ message: 'must be a string' })
  reason!: string;
}

/** Origins that previews of the project may use. */
export class PreviewHostsBody {
  @IsArray({ message: 'must be a list' })
  @IsString({ each: true, message: 'must hold strings only' })
  origins!: string[];
}

/** Which version a ticket is for; the latest, whichever that is, when none is named. */
export class TicketQuery {
  @IsOptional()
  @Type(() => Number)
  @IsInt({ message: 'must be a whole number' })
  @Min(1, { message: 'must be 1 or more' })
  version?: number;
}
