import { Page, PageHeader } from '@longreach/ui/PageHeader'
import { useWords } from '@longreach/ui/use-words'
import { useMemo } from 'react'
import { one, useSearch } from '../../../parts/pages/use-search.ts'
import { newRule } from './rule-draft.ts'
import { RuleEditor } from './RuleEditor.tsx'
import { RulesTrail } from './RulesTrail.tsx'

/** A new rule, for a model or device that the address may name. */
export function Component() {
  const t = useWords()
  const [search] = useSearch()
  const [model, device] = [one(search['model']), one(search['device'])]
  const start = useMemo(() => {
    const rule = newRule(model ?? '')
    return {
      rule: device === undefined ? rule : { ...rule, scope: { deviceId: device } },
      below: false,
    }
  }, [model, device])
  return (
    <Page>
      <PageHeader
        title={t('alarm-rules.new')}
        trail={<RulesTrail />}
        help={t('alarm-rules.help')}
      />
      <RuleEditor key={`${model} ${device}`} start={start} proposed={start} locked={false} />
    </Page>
  )
}
