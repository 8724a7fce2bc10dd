import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { useWords } from '@longreach/ui/use-words'
import { Switch } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { api, query, stale } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { type Organization, useMay } from '../../parts/session/session.ts'
import classes from './organizations.module.css'

/** Choice that writes in an organization need a second person; saved at once, apart from the form. */
export function WritePolicy({ organization }: { organization: Organization }) {
  const t = useWords()
  const errorText = useErrorText()
  const { resourceId: org } = organization
  const may = useMay()('organizations:update')
  const params = { org }
  const { data, error } = useQuery(query(api.platform.writePolicy, { params }))
  const change = useMutation({
    mutationFn: (secondPerson: boolean) =>
      api.platform.setWritePolicy({ params, body: { secondPerson } }),
    onSettled: () => stale(api.platform.writePolicy),
  })
  const above = data && data.from !== null && data.from !== org ? data.from : undefined
  const failure = change.error ?? error
  return (
    <section className={classes.group}>
      <h3>{t('organizations.group.writes')}</h3>
      {data && (
        <Switch
          label={t('organizations.secondPerson')}
          description={
            above === undefined
              ? t('organizations.secondPersonHelp')
              : t('organizations.ruleFrom', { where: above })
          }
          checked={data.secondPerson}
          disabled={!may || above !== undefined || change.isPending}
          onChange={(event) => change.mutate(event.currentTarget.checked)}
        />
      )}
      {failure && <ErrorPanel {...errorText(failure)} />}
    </section>
  )
}
