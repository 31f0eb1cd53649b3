/** Origins outside that the previews of a project may use; none by default. */
export abstract class PreviewHosts {
  abstract of(projectId: string): Promise<readonly string[]>;
  abstract replace(projectId: string, origins: readonly string[]): Promise<void>;
}
