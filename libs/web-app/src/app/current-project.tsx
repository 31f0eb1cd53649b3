import { createContext, useContext } from 'react';
import type { Project } from '../api/types';

export const CurrentProject = createContext<Project | null>(null);

/** The project of the address. Pages under `/projects/{id}` render only once it is loaded. */
export function useCurrentProject(): Project {
  const project = useContext(CurrentProject);
  if (!project) throw new Error('This page stands outside a project.');
  return project;
}
