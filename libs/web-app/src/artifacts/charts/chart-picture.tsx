import { useEffect, useState } from 'react';
import { useTheme } from '../../app/theme';
import { artifactsApi } from '../api';

export interface ChartPictureProps {
  readonly projectId: string;
  readonly id: number;
  readonly size: 'card' | 'page';
  readonly alt: string;
}

/** A chart as the server draws it, in the theme of the page, and in a shape that fits a phone. */
export function ChartPicture({ projectId, id, size, alt }: ChartPictureProps) {
  const dark = useDark();
  const narrow = useMatches('(max-width: 40em)');
  const [failed, setFailed] = useState(false);
  if (failed)
    return <p className="muted small art__state">This chart could not be drawn. Open it to see its data.</p>;
  return (
    <img
      className="chart-picture"
      src={artifactsApi(projectId).pictureAddress(id, {
        theme: dark ? 'dark' : 'light',
        size: size === 'page' && narrow ? 'narrow' : size,
      })}
      alt={alt}
      loading={size === 'card' ? 'lazy' : undefined}
      onError={() => setFailed(true)}
    />
  );
}

function useDark(): boolean {
  const theme = useTheme();
  const system = useMatches('(prefers-color-scheme: dark)');
  return theme === 'system' ? system : theme === 'dark';
}

function useMatches(query: string): boolean {
  const [matches, setMatches] = useState(() => window.matchMedia(query).matches);
  useEffect(() => {
    const list = window.matchMedia(query);
    const hear = () => setMatches(list.matches);
    hear();
    list.addEventListener('change', hear);
    return () => list.removeEventListener('change', hear);
  }, [query]);
  return matches;
}
