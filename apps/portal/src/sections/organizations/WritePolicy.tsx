import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { Panel } from '@longreach/ui/PageHeader'
import { useWords } from '@longreach/ui/use-words'
import { Switch } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { api, stale } from '../../../lib/api.ts'
import { useErrorText } from '../../../lib/error-text.ts'
import { useMay, useSession } from '../../../lib/session.ts'
import { useWritePolicy } from './write-calls.ts'

/** Whether writes in this organization need a second person. */
export function WritePolicy() {
  const t = useWords()
  const errorText = useErrorText()
  const { resourceId: org, label } = useSession().organization
  const may = useMay()('organizations:update')
  const { data } = useWritePolicy()
  const change = useMutation({
    mutationFn: (secondPerson: boolean) =>
      api.platform.setWritePolicy({ params: { org }, body: { secondPerson } }),
    onSettled: () => stale(api.platform.writePolicy),
  })
  if (!data) return null
  const above = data.from !== null && data.from !== org
  return (
    <Panel title={t('device-page.write.policy')}>
      <Switch
        label={t('device-page.write.policyLabel', { organization: label })}
        description={
          above
            ? t('device-page.write.policyAbove', { organization: data.from ?? '' })
            : t('device-page.write.policyHelp')
        }
        checked={data.secondPerson}
        disabled={!may || above || change.isPending}
        onChange={(event) => change.mutate(event.currentTarget.checked)}
      />
      {change.error && <ErrorPanel {...errorText(change.error)} />}
    </Panel>
  )
}
