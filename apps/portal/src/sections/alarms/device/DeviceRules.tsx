import { Panel } from '@longreach/ui/PageHeader'
import { useNow } from '@longreach/ui/RelativeTime'
import { EmptyState } from '@longreach/ui/EmptyState'
import { useWords } from '@longreach/ui/use-words'
import { Anchor } from '@mantine/core'
import { useQueries, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { alarmsApi } from '../../../parts/alarms/alarm-calls.ts'
import { SeverityMark } from '../../../parts/alarms/SeverityMark.tsx'
import { query } from '../../../parts/api/api.ts'
import { deviceQuery } from '../../../parts/devices/devices.ts'
import { ContentPending } from '../../../parts/pages/ContentPending.tsx'
import { linkTo } from '../../../parts/pages/page-links.ts'
import { useReach } from '../../../parts/session/reach.ts'
import { OverrideActions } from '../rules/OverrideActions.tsx'
import { useOverrideText } from '../rules/override-text.ts'
import { ruleOf, RuleOrganization, type StoredRule } from '../rules/rule-calls.ts'
import { classes } from '../rules/rule-classes.ts'
import { useUnjudged, useUnjudgedTimes } from '../rules/unjudged.ts'
import own from './DeviceAlarmsTab.module.css'

/** Rules that are shown of a model or device. */
const most = 100

/** Rules for a device, of its model and for it alone, with what is different on it. */
export function DeviceRules({ deviceId, choice }: { deviceId: string; choice: ReactNode }) {
  const t = useWords()
  const { label, rules, error, refetch } = useRulesFor(deviceId)
  return (
    <div className={own.rules}>
      <Panel>
        <div className={own.bar}>
          {choice}
          <p className={classes.help}>{t('rule-tools.deviceRulesHelp')}</p>
        </div>
        {rules === undefined ? (
          <ContentPending error={error} refetch={refetch} rows={4} />
        ) : rules.length === 0 ? (
          <EmptyState kind="nothing" title={t('rule-tools.noDeviceRules')} />
        ) : (
          <RuleRows rules={rules} device={{ id: deviceId, label }} />
        )}
      </Panel>
    </div>
  )
}

/** Rules that judge a device, of its organization and of others in sight; undefined until they are there. */
function useRulesFor(deviceId: string) {
  const organization = useReach()
  const device = useQuery(deviceQuery(organization, deviceId))
  const judging = useQuery(
    query(alarmsApi.rules, {
      query: { organization, judges: deviceId, page: 0, pageSize: most },
    }),
  )
  const failed = [device, judging].find(({ isError }) => isError)
  const isThere = device.data !== undefined
  return {
    label: device.data?.value.label ?? deviceId,
    rules: isThere ? judging.data?.data : undefined,
    error: failed?.error ?? null,
    refetch: () => void failed?.refetch(),
  }
}

type RowsProps = { rules: readonly StoredRule[]; device: { id: string; label: string } }

function RuleRows({ rules, device }: RowsProps) {
  const t = useWords()
  const now = useNow()
  const textOf = useOverrideText()
  const here = { organization: useReach() }
  const unjudged = useUnjudged({ deviceId: device.id })
  const timesOf = useUnjudgedTimes()
  const overrides = useQueries({
    queries: rules.map(({ id }) => query(alarmsApi.overrides, { params: { id }, query: here })),
  })
  return (
    <ul className={classes.overrides}>
      {rules.map((stored, index) => {
        const rule = ruleOf(stored)
        const present = overrides[index]?.data?.data.find(
          ({ deviceId }) => deviceId === device.id,
        )?.override
        return (
          <li key={stored.id} className={classes.version}>
            <span>
              <SeverityMark severity={rule.levels.at(-1)?.severity ?? 0} />{' '}
              <Anchor
                component={Link}
                {...linkTo('/alarms/rules/$ruleId', { params: { ruleId: stored.id } })}
                inherit
              >
                {rule.name}
              </Anchor>
              <span className={own.state}>
                {rule.enabled
                  ? present
                    ? [textOf(present, now), present.reason].filter(Boolean).join(' · ')
                    : t('rule-tools.asRule')
                  : t('alarm-rules.isOff')}
              </span>
              {unjudged
                .filter(({ ruleId }) => ruleId === stored.id)
                .map((one) => (
                  <span key={one.reason} className={own.unjudged}>
                    {t(`rule-places.unjudgedHere.${one.reason}`, timesOf(one))}
                  </span>
                ))}
            </span>
            {stored.may.includes('update') && (
              <RuleOrganization value={stored.orgResourceId}>
                <OverrideActions {...{ stored, device, present }} />
              </RuleOrganization>
            )}
          </li>
        )
      })}
    </ul>
  )
}
