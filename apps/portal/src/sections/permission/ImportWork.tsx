import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { useWords } from '@longreach/ui/use-words'
import { Button, Group, Progress } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { api, query } from '../../parts/api/api.ts'
import { saveFile } from '../../parts/tables/save-file.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { authorizedFetch } from '../../parts/api/send.ts'
import { peopleChanged, useOrg } from './people-calls.ts'
import classes from './permission.module.css'

/** Progress of an import; at its end, its table with the links to give to the people. */
export function ImportWork({ id, onClose }: { id: number; onClose: () => void }) {
  const t = useWords()
  const errorText = useErrorText()
  const org = useOrg()
  const work = useQuery({
    ...query(api.core.userImport, { params: { org, import: id } }),
    refetchInterval: ({ state }) => (state.data?.finishedAt ? false : 700),
  })
  const save = useMutation({ mutationFn: () => saveSheet(org, id) })
  if (work.error)
    return <ErrorPanel {...errorText(work.error)} onRetry={() => void work.refetch()} />
  const { total = 0, done = 0, failed = 0, links = 0, finishedAt } = work.data ?? {}
  const close = () => {
    void peopleChanged()
    onClose()
  }
  return (
    <div className={classes.form}>
      <p className={classes.text} role="status">
        {finishedAt
          ? t('permission.imported', { done: done - failed, failed })
          : t('permission.bulkProgress', { done, total })}
      </p>
      <Progress
        value={total === 0 ? 0 : (100 * done) / total}
        aria-label={t('permission.bulkProgress', { done, total })}
      />
      {links > 0 && (
        <p className={classes.text}>{t('permission.linksInSheet', { count: links })}</p>
      )}
      {save.error && <ErrorPanel {...errorText(save.error)} />}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" disabled={!finishedAt} onClick={() => save.mutate()}>
          {t('permission.sheet')}
        </Button>
        <Button onClick={close}>{t('permission.done')}</Button>
      </Group>
    </div>
  )
}

async function saveSheet(org: string, id: number) {
  const path = `/svc/core/api/v1/organizations/${org}/users/imports/${id}/result`
  const answer = await authorizedFetch(path)
  if (!answer.ok) throw new Error(`the sheet was not given: ${answer.status}`)
  saveFile(`people-${id}.csv`, [await answer.text()])
}
