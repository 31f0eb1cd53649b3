import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Field } from '../../components/field';
import { documentKeys, documentsApi } from '../api';
import { ALL_DOCUMENTS } from '../list/list-filters';
import { type DocumentDialogProps, FormDialog } from './form-dialog';

export function SeriesDialog(props: DocumentDialogProps) {
  const { document } = props.review;
  const api = documentsApi(props.projectId);
  const [series, setSeries] = useState(document.series ?? '');
  const [ordinal, setOrdinal] = useState(
    document.seriesOrdinal === null ? '' : String(document.seriesOrdinal),
  );
  const { data } = useQuery({
    queryKey: documentKeys.list(props.projectId, ALL_DOCUMENTS),
    queryFn: ({ signal }) => api.list(ALL_DOCUMENTS, signal),
  });
  const known = data?.series.find((one) => one.name.toLowerCase() === series.trim().toLowerCase());
  const out = series.trim() === '';
  return (
    <FormDialog
      {...props}
      title="Series"
      action={out ? 'Take out of the series' : 'Save series'}
      done="Series saved."
      blocked={!out && !/^\d+$/.test(ordinal) ? 'A series name needs a position, counting from 1.' : null}
      send={() =>
        api.change(
          document.id,
          out
            ? { series: null, seriesOrdinal: null }
            : { series: series.trim(), seriesOrdinal: Number(ordinal) },
        )
      }
    >
      {(fields) => (
        <>
          <Field
            label="Series"
            error={fields.series}
            hint="Leave it empty to take the document out of its series."
          >
            {(control) => (
              <>
                <input
                  {...control}
                  className="input"
                  dir="auto"
                  list="known-series"
                  maxLength={100}
                  value={series}
                  onChange={(event) => setSeries(event.target.value)}
                />
                <datalist id="known-series">
                  {data?.series.map((one) => (
                    <option key={one.id} value={one.name} />
                  ))}
                </datalist>
              </>
            )}
          </Field>
          <Field
            label="Position"
            error={fields.seriesOrdinal}
            hint={
              known ? `The next free position is ${(known.highestOrdinal ?? 0) + 1}.` : 'Counting from 1.'
            }
          >
            {(control) => (
              <input
                {...control}
                className="input"
                inputMode="numeric"
                value={ordinal}
                onChange={(event) => setOrdinal(event.target.value.replace(/\D/g, ''))}
              />
            )}
          </Field>
        </>
      )}
    </FormDialog>
  );
}
