import { IsObject, IsString, ValidateIf } from 'class-validator';

const STRING = { message: 'must be a string' };

/** Left out is fine, null is not. */
const MayBeAbsent = () => ValidateIf((_, value) => value !== undefined);

/** Body of `PATCH /api/account`. */
export class ChangeAccountBody {
  @MayBeAbsent()
  @IsString(STRING)
  displayName?: string;

  @MayBeAbsent()
  @IsString(STRING)
  timezone?: string;

  @MayBeAbsent()
  @IsObject({ message: 'must be an object of settings' })
  preferences?: Record<string, unknown>;
}

/** Body of `POST /api/account/confirm` and `PUT /api/account/password`. */
export class PasswordBody {
  @IsString(STRING)
  password!: string;
}

/** Body of `POST /api/account/email` and `POST /api/account/delete`. */
export class EmailBody {
  @IsString(STRING)
  email!: string;
}
