import { Panel } from '@longreach/ui/PageHeader'
import { useNow } from '@longreach/ui/RelativeTime'
import { useWords } from '@longreach/ui/use-words'
import { Anchor, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { alarmsApi } from '../../../parts/alarms/alarm-calls.ts'
import { api, query } from '../../../parts/api/api.ts'
import { ContentPending } from '../../../parts/pages/ContentPending.tsx'
import { linkTo } from '../../../parts/pages/page-links.ts'
import { OverrideActions } from './OverrideActions.tsx'
import { OverrideDialog } from './OverrideDialog.tsx'
import { useOverrideText } from './override-text.ts'
import { type StoredRule, useRuleReach } from './rule-calls.ts'
import { classes } from './rule-classes.ts'

/** Devices on which a rule has other limits or delays, or is out of service. */
export function RuleOverrides({ stored, locked }: { stored: StoredRule; locked: boolean }) {
  const t = useWords()
  const now = useNow()
  const textOf = useOverrideText()
  const { data, error, refetch } = useQuery(
    query(alarmsApi.overrides, { params: { id: stored.id }, query: useRuleReach() }),
  )
  return (
    <Panel title={t('rule-tools.overrides')}>
      <p className={classes.help}>{t('rule-tools.overridesHelp')}</p>
      {data === undefined ? (
        <ContentPending error={error} refetch={refetch} rows={2} />
      ) : (
        <ul className={classes.overrides}>
          {data.data.map(({ deviceId, deviceLabel, override }) => (
            <li key={deviceId} className={classes.version}>
              <span>
                <Anchor
                  component={Link}
                  {...linkTo('/devices/$deviceId', { params: { deviceId } })}
                  inherit
                >
                  {deviceLabel}
                </Anchor>{' '}
                <span className={classes.dim}>
                  {[textOf(override, now), override.reason].filter(Boolean).join(' · ')}
                </span>
              </span>
              {!locked && (
                <OverrideActions
                  stored={stored}
                  device={{ id: deviceId, label: deviceLabel }}
                  present={override}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {!locked && <AddOverride stored={stored} />}
    </Panel>
  )
}

/** Choice of a device for which something shall be different. */
function AddOverride({ stored }: { stored: StoredRule }) {
  const t = useWords()
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text, 250)
  const [device, setDevice] = useState<{ id: string; label: string }>()
  const { data } = useQuery({
    ...query(api.mappings.devices, {
      query: { ...useRuleReach(), page: 0, pageSize: 50, ...(search !== '' && { search }) },
    }),
    placeholderData: keepPreviousData,
  })
  const found = (data?.data ?? []).map(({ deviceId, label }) => ({ value: deviceId, label }))
  return (
    <>
      <Select
        aria-label={t('rule-tools.addOverride')}
        placeholder={t('rule-tools.addOverride')}
        searchable
        data={found}
        value={null}
        filter={({ options }) => options}
        nothingFoundMessage={t('alarm-rules.noDevice')}
        onSearchChange={setText}
        onChange={(id) => {
          const label = found.find(({ value }) => value === id)?.label
          if (id !== null && label !== undefined) setDevice({ id, label })
        }}
      />
      {device && (
        <OverrideDialog
          stored={stored}
          device={device}
          present={undefined}
          onClose={() => setDevice(undefined)}
        />
      )}
    </>
  )
}
