import { EmptyState } from '@longreach/ui/EmptyState'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useIntl } from 'react-intl'
import { useActorName } from '../../parts/audit/actor-name.ts'
import { api, query } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { organizationsChanged } from './organization-calls.ts'
import classes from './organizations.module.css'

/** Deleted organizations below that can still be brought back. */
export function DeletedTab({ org }: { org: string }) {
  const t = useWords()
  const nameOf = useActorName()
  const intl = useIntl()
  const toast = useToast()
  const errorText = useErrorText()
  const list = useQuery(
    query(api.core.deletedOrganizations, { params: { org }, query: { pageSize: 200 } }),
  )
  const restore = useMutation({
    mutationFn: ({ id }: { id: number; label: string }) =>
      api.core.restoreOrganization({ params: { org, deleted: id } }),
    onSuccess: async ({ hostnameLost }, { label }) => {
      await organizationsChanged()
      const message = hostnameLost ? 'organizations.restoredNoHost' : 'organizations.restored'
      toast({ message: t(message, { label }) })
    },
  })
  const error = restore.error ?? list.error
  if (list.isPending) return <RowsSkeleton rows={4} />
  return (
    <div className={classes.stack}>
      {error && <ErrorPanel {...errorText(error)} onRetry={() => void list.refetch()} />}
      {list.data?.empty && (
        <EmptyState
          kind="nothing"
          title={t('organizations.noneDeleted')}
          text={t('organizations.noneDeletedText')}
        />
      )}
      <ul className={classes.list} aria-label={t('organizations.tab.deleted')}>
        {list.data?.content.map(({ id, label, resourceId, deletedAt, deletedBy, ...one }) => (
          <li key={id} className={classes.row}>
            <span>
              <strong>{label}</strong> {resourceId}
              <br />
              <span className={classes.hint}>
                {t('organizations.deletedBy', { who: nameOf(deletedBy) })}{' '}
                <RelativeTime at={deletedAt} />
                {' · '}
                {t('organizations.purged', {
                  time: intl.formatDate(one.purgedAt, { dateStyle: 'medium' }),
                })}
                {one.organizations > 0 &&
                  ` · ${t('organizations.withBelow', { count: one.organizations })}`}
              </span>
            </span>
            <Button
              variant="default"
              loading={restore.isPending && restore.variables.id === id}
              onClick={() => restore.mutate({ id, label })}
            >
              {t('organizations.restore')}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}
