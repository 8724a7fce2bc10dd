import { Facts, PanelSection, SidePanel } from '@longreach/ui/SidePanel'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { Anchor, Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { alarmsApi } from '../../../parts/alarms/alarm-calls.ts'
import { SeverityMark } from '../../../parts/alarms/SeverityMark.tsx'
import { linkTo } from '../../../parts/pages/page-links.ts'
import { useErrorText } from '../../../parts/words/error-text.ts'
import { renewRules, ruleOf, type StoredRule, useRulePlace } from './rule-calls.ts'
import { RuleSentence } from './RuleSentence.tsx'
import { ShelveRule } from './ShelveRule.tsx'

/** A rule beside the list: its sentence, what it raised, and switching it off and on. */
export function RulePanel({ stored, onClose }: { stored: StoredRule; onClose: () => void }) {
  const t = useWords()
  const rule = ruleOf(stored)
  const { place } = useRulePlace(stored)
  return (
    <SidePanel
      title={rule.name}
      facts={<SeverityMark severity={rule.levels.at(-1)?.severity ?? 0} />}
      actions={
        <>
          <Button
            component={Link}
            {...linkTo('/alarms/rules/$ruleId', { params: { ruleId: stored.id } })}
          >
            {t('alarm-rules.openRule')}
          </Button>
          <SwitchButton stored={stored} />
          {place !== 'below' && <ShelveRule stored={stored} />}
        </>
      }
      onClose={onClose}
    >
      <PanelSection>
        <RuleSentence rule={rule} small />
      </PanelSection>
      <PanelSection title={t('alarms.details')}>
        <Facts
          items={[
            {
              label: t('alarm-rules.open'),
              value: (
                <Anchor
                  component={Link}
                  {...linkTo('/alarms', { search: { rule: stored.id } })}
                  inherit
                >
                  {stored.open}
                </Anchor>
              ),
            },
            {
              label: t('alarm-rules.raised'),
              value: (
                <Anchor
                  component={Link}
                  {...linkTo('/alarms/alarms-history', {
                    search: { rule: stored.id, range: '30d' },
                  })}
                  inherit
                >
                  {t('alarms.tab.history')}
                </Anchor>
              ),
            },
            {
              label: t('alarm-rules.updated'),
              value: (
                <>
                  {stored.updatedBy} · <RelativeTime at={stored.updatedAt} />
                </>
              ),
            },
            { label: t('alarm-rules.versions'), value: stored.version },
          ]}
        />
      </PanelSection>
    </SidePanel>
  )
}

function SwitchButton({ stored }: { stored: StoredRule }) {
  const t = useWords()
  const toast = useToast()
  const errorText = useErrorText()
  const { organization } = useRulePlace(stored)
  const rule = ruleOf(stored)
  const change = useMutation({
    mutationFn: () =>
      alarmsApi.replaceRule({
        params: { id: stored.id },
        query: { organization, version: stored.version },
        body: { below: stored.below, rule: { ...rule, enabled: !rule.enabled } },
      }),
    onSuccess: renewRules,
    onError: (error) => toast({ kind: 'failed', message: errorText(error).message }),
  })
  if (!stored.may.includes('update')) return null
  return (
    <Button variant="default" loading={change.isPending} onClick={() => change.mutate()}>
      {t(rule.enabled ? 'alarm-rules.switchOff' : 'alarm-rules.switchOn')}
    </Button>
  )
}
