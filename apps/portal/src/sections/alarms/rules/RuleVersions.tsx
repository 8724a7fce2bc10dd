import type { Rule } from '@longreach/rules/rule'
import { Panel } from '@longreach/ui/PageHeader'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { alarmsApi } from '../../../parts/alarms/alarm-calls.ts'
import { query } from '../../../parts/api/api.ts'
import { ContentPending } from '../../../parts/pages/ContentPending.tsx'
import { useErrorText } from '../../../parts/words/error-text.ts'
import {
  renewRules,
  type RuleVersion,
  ruleOf,
  type StoredRule,
  useRuleOrganization,
} from './rule-calls.ts'
import { RuleSentence } from './RuleSentence.tsx'
import { classes } from './rule-classes.ts'
import { VersionDifferences } from './VersionDifferences.tsx'

/** Versions of a rule, newest first, each with its sentence; an older one can be restored. */
export function RuleVersions({ stored, locked }: { stored: StoredRule; locked: boolean }) {
  const t = useWords()
  const { data, error, refetch } = useQuery(
    query(alarmsApi.ruleVersions, { params: { id: stored.id }, query: useRuleOrganization() }),
  )
  const versions = data?.data.toSorted((one, other) => other.version - one.version)
  return (
    <Panel title={t('alarm-rules.versions')}>
      {versions === undefined ? (
        <ContentPending error={error} refetch={refetch} rows={3} />
      ) : (
        <ol className={classes.versions}>
          {versions.map((version, index) => (
            <Version
              key={version.version}
              {...{ version, stored, locked }}
              before={versions[index + 1]}
            />
          ))}
        </ol>
      )}
    </Panel>
  )
}

type Props = {
  version: RuleVersion
  /** The version before it; absent for the first. */
  before: RuleVersion | undefined
  stored: StoredRule
  locked: boolean
}

function Version({ version, before, stored, locked }: Props) {
  const t = useWords()
  const toast = useToast()
  const errorText = useErrorText()
  const here = useRuleOrganization()
  const [opened, setOpened] = useState(false)
  const restore = useMutation({
    mutationFn: () =>
      alarmsApi.restoreRule({
        params: { id: stored.id },
        query: here,
        body: { version: version.version },
      }),
    onSuccess: () => {
      renewRules()
      toast({ message: t('alarm-rules.restored', { version: version.version }) })
    },
    onError: (error) => toast({ kind: 'failed', message: errorText(error).message }),
  })
  const isNewest = version.version === stored.version
  const rule: Rule = ruleOf(version)
  return (
    <li>
      <div className={classes.version}>
        <span>
          <b>{t('alarm-rules.version', { version: version.version })}</b>{' '}
          <span className={classes.dim}>
            {version.by} · <RelativeTime at={version.at} />
          </span>
        </span>
        <span>
          <Button
            variant="subtle"
            size="compact-sm"
            aria-expanded={opened}
            onClick={() => setOpened(!opened)}
          >
            {t('alarm-rules.show')}
          </Button>
          {!isNewest && !locked && (
            <Button
              variant="default"
              size="compact-sm"
              loading={restore.isPending}
              onClick={() => restore.mutate()}
            >
              {t('alarm-rules.restore')}
            </Button>
          )}
        </span>
      </div>
      {opened && (
        <>
          <RuleSentence rule={rule} small />
          {before && <VersionDifferences before={ruleOf(before)} after={rule} />}
        </>
      )}
    </li>
  )
}
