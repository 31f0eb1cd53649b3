/** Takes out what goes with a project or a person. */
export abstract class DocumentErasure {
  /** Removes every row of the project. Running it again is harmless. */
  abstract purgeProject(projectId: string): Promise<void>;
  /** What the person wrote stays without a name; their section approvals and reader marks go. */
  abstract forgetPerson(personId: string): Promise<void>;
}
