import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { sentenceOf } from '../../api/problem';
import { toast } from '../../components/toast';
import { type DocumentsApi, documentKeys } from '../api';
import type { Review, Thread } from '../shapes';

/** Writes on review state. Each shows its result at once and takes it back, with the reason, when it is refused. */
export function useReviewActions(projectId: string, id: string, version: number, api: DocumentsApi) {
  const queries = useQueryClient();
  return useMemo(() => {
    const key = documentKeys.review(projectId, id, version);
    const change = (update: (review: Review) => Review) =>
      queries.setQueryData<Review>(key, (now) => (now ? update(now) : now));
    const refresh = async () => {
      await Promise.all([
        queries.invalidateQueries({ queryKey: documentKeys.document(projectId, id) }),
        queries.invalidateQueries({ queryKey: [...documentKeys.root(projectId), 'list'] }),
      ]);
    };
    const changeThread = (cid: string, update: (thread: Thread) => Thread) =>
      change((review) => ({
        ...review,
        threads: review.threads.map((thread) => (thread.id === cid ? update(thread) : thread)),
      }));

    /** Applies the change now; puts the old state back and says why when the server refuses. */
    const optimistic = async (
      what: string,
      update: (review: Review) => Review,
      send: () => Promise<unknown>,
    ) => {
      await queries.cancelQueries({ queryKey: key });
      const before = queries.getQueryData<Review>(key);
      change(update);
      try {
        await send();
        return true;
      } catch (error) {
        if (before) queries.setQueryData(key, before);
        toast({ tone: 'bad', title: what, text: sentenceOf(error) });
        return false;
      } finally {
        void refresh();
      }
    };
    const setStatus = (cid: string, status: Thread['status']) => (review: Review) => ({
      ...review,
      threads: review.threads.map((thread) => (thread.id === cid ? { ...thread, status } : thread)),
    });

    return {
      refresh,
      change,
      changeThread,
      resolve: (cid: string) =>
        optimistic('The thread was not resolved.', setStatus(cid, 'resolved'), () => api.resolve(id, cid)),
      reopen: (cid: string) =>
        optimistic('The thread was not reopened.', setStatus(cid, 'pending'), () => api.reopen(id, cid)),
      remove: async (cid: string) => {
        const done = await optimistic(
          'The thread was not deleted.',
          (review) => ({ ...review, threads: review.threads.filter((thread) => thread.id !== cid) }),
          () => api.remove(id, cid),
        );
        if (!done) return;
        toast({
          title: 'Thread deleted.',
          action: {
            label: 'Undo',
            run: () => {
              api
                .restore(id, cid)
                .catch((error: unknown) =>
                  toast({ tone: 'bad', title: 'The thread was not restored.', text: sentenceOf(error) }),
                )
                .finally(() => void refresh());
            },
          },
        });
      },
      approveSection: (headingId: string, approved: boolean) =>
        optimistic(
          'The section was not changed.',
          (review) => ({
            ...review,
            sections: review.sections.map((section) =>
              section.headingId === headingId && section.approvedByYou !== approved
                ? { ...section, approvedByYou: approved, approvals: section.approvals + (approved ? 1 : -1) }
                : section,
            ),
          }),
          () => api.approveSection(id, headingId, version, approved),
        ),
      decide: (decisionId: string, indexes: number[], note: string | null) => {
        const labelOf = (review: Review, index: number) =>
          review.decisions.find((one) => one.id === decisionId)?.options[index]?.label ?? '';
        const now = queries.getQueryData<Review>(key);
        const labels = now ? indexes.map((index) => labelOf(now, index)) : [];
        const at = new Date().toISOString();
        return optimistic(
          'Your answer was not saved.',
          (review) => ({
            ...review,
            decisions: review.decisions.map((decision) =>
              decision.id === decisionId
                ? {
                    ...decision,
                    note,
                    selections: indexes.map((index, position) => ({
                      label: labels[position]!,
                      index,
                      answeredAt: at,
                      answeredAtVersion: version,
                    })),
                  }
                : decision,
            ),
          }),
          () => api.decide(id, decisionId, { version, indexes, labels, note }),
        );
      },
    };
  }, [queries, projectId, id, version, api]);
}

export type ReviewActions = ReturnType<typeof useReviewActions>;
