import { Type } from 'class-transformer';
import {
  Allow,
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Min,
  ValidateNested,
} from 'class-validator';

/** Body of `POST …/artifacts`; the use case checks the arguments against each other. */
export class CreateArtifactBody {
  @IsIn(['empty', 'import'], { message: 'type must be empty or import.' })
  type!: 'empty' | 'import';

  @IsOptional()
  @IsString()
  artifactType?: string;

  @IsOptional()
  @IsString()
  name?: string;

  @IsOptional()
  @IsString()
  description?: string;

  @IsOptional()
  @IsString()
  framework?: string;

  /** Path to text. */
  @Allow()
  files?: Record<string, string>;

  @IsOptional()
  @IsString()
  zipUploadId?: string;

  @IsOptional()
  @IsString()
  workspaceId?: string;
}

/** Body of `POST …/artifacts/uploads`. */
export class ReserveUploadBody {
  @IsOptional()
  @IsString()
  purpose?: string;
}

/** Body of `POST …/artifacts/{id}/git-token`. */
export class MintGitTokenBody {
  @IsOptional()
  @IsInt()
  ttlSeconds?: number;
}

export class PushedFileBody {
  @IsString()
  path!: string;

  /** Lower-case hex. */
  @IsString()
  sha256!: string;

  @IsInt()
  @Min(0)
  bytes!: number;
}

/** Body of `POST …/artifact-pushes`. */
export class StartPushBody {
  @IsOptional()
  @IsString()
  artifactId?: string;

  @IsOptional()
  @IsString()
  name?: string;

  /** Id or name. */
  @IsOptional()
  @IsString()
  workspaceId?: string;

  @IsOptional()
  @IsString()
  notes?: string;

  @IsOptional()
  @IsString()
  entryPath?: string;

  @IsOptional()
  @IsArray()
  @ArrayMaxSize(100)
  @IsInt({ each: true })
  cardNumbers?: number[];

  @IsArray()
  @ArrayMaxSize(20_000)
  @ValidateNested({ each: true })
  @Type(() => PushedFileBody)
  files!: PushedFileBody[];
}
