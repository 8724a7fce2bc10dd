import { Page, PageHeader } from '@longreach/ui/PageHeader'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { EmptyState } from '@longreach/ui/EmptyState'
import { Tag } from '@longreach/ui/StatusDot'
import { useWords } from '@longreach/ui/use-words'
import { Anchor, Button } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { DetailPending } from '../../../parts/pages/DetailPending.tsx'
import { isMissing } from '../../../parts/pages/FailedPage.tsx'
import { linkTo } from '../../../parts/pages/page-links.ts'
import { one, useSearch } from '../../../parts/pages/use-search.ts'
import { useErrorText } from '../../../parts/words/error-text.ts'
import { mended, mendIn } from '../report/rule-mends.ts'
import { DeleteAlarmRule } from './DeleteAlarmRule.tsx'
import { ruleOf, RuleOrganization, type StoredRule, useRule, useRulePlace } from './rule-calls.ts'
import { RuleEditor } from './RuleEditor.tsx'
import { RulesTrail } from './RulesTrail.tsx'
import { ShelveRule } from './ShelveRule.tsx'
import { UnjudgedNotice } from './UnjudgedNotice.tsx'
import { useOwnerName } from './use-owner-name.ts'

/** One rule with its editor. */
export function Component() {
  const { ruleId = '' }: { ruleId?: string } = useParams({ strict: false })
  const { data, error, refetch } = useRule(ruleId)
  // Another version begins anew; one that is fetched again does not throw away what is typed.
  if (data) return <Loaded key={`${data.id} ${data.version}`} stored={data} />
  if (error) return <Failed error={error} onRetry={() => void refetch()} />
  return <DetailPending to="/alarms" section="alarms" shape={{ panes: 2 }} />
}

function Failed({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const t = useWords()
  const errorText = useErrorText()
  return (
    <Page>
      <PageHeader title={t('alarm-rules.rule')} trail={<RulesTrail />} />
      {isMissing(error) ? (
        <EmptyState
          kind="missing"
          title={t('alarm-rules.notFound')}
          action={
            <Anchor component={Link} to="/alarms/rules">
              {t('alarms.tab.rules')}
            </Anchor>
          }
        />
      ) : (
        <ErrorPanel {...errorText(error)} onRetry={onRetry} />
      )}
    </Page>
  )
}

function Loaded({ stored }: { stored: StoredRule }) {
  const t = useWords()
  const { place, organization } = useRulePlace(stored)
  const help = useRuleHelp(stored)
  const [deleting, setDeleting] = useState(false)
  const [search] = useSearch()
  const mend = mendIn({ delay: one(search['delay']), band: one(search['band']) })
  const rule = ruleOf(stored)
  const locked = !stored.may.includes('update')
  return (
    <RuleOrganization value={organization}>
      <Page>
        <PageHeader
          title={rule.name}
          trail={<RulesTrail />}
          help={help}
          beside={!rule.enabled && <Tag tone="off">{t('alarm-rules.isOff')}</Tag>}
          actions={
            <>
              {stored.open > 0 && (
                <Button
                  variant="default"
                  component={Link}
                  {...linkTo('/alarms', { search: { rule: stored.id } })}
                >
                  {t('alarm-rules.openAlarms', { count: stored.open })}
                </Button>
              )}
              {place !== 'below' && <ShelveRule stored={stored} />}
              {stored.may.includes('delete') && (
                <Button variant="default" onClick={() => setDeleting(true)}>
                  {t('alarm-rules.delete')}
                </Button>
              )}
            </>
          }
        />
        <UnjudgedNotice ruleId={stored.id} />
        <RuleEditor
          stored={stored}
          start={{ rule, below: stored.below }}
          proposed={{ rule: mend && !locked ? mended(rule, mend) : rule, below: stored.below }}
          locked={locked}
        />
        {deleting && <DeleteAlarmRule stored={stored} onClose={() => setDeleting(false)} />}
      </Page>
    </RuleOrganization>
  )
}

/** Line below the title: how the rule is changed, or whose it is. */
function useRuleHelp(stored: StoredRule) {
  const t = useWords()
  const nameOf = useOwnerName()
  const { place } = useRulePlace(stored)
  if (place === 'above') return t('alarm-rules.fromAbove')
  if (place === 'here') return t('alarm-rules.help')
  const organization = nameOf(stored.orgResourceId)
  return stored.may.includes('update')
    ? t('rule-places.ofBelow', { organization })
    : t('rule-places.readOnly', { organization })
}
