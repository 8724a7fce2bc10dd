import { useWords } from '@longreach/ui/use-words'
import {
  Checkbox,
  Fieldset,
  Group,
  MultiSelect,
  NumberInput,
  Select,
  Switch,
  TagsInput,
  TextInput,
} from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useIntl } from 'react-intl'
import { api, query } from '../../parts/api/api.ts'
import { knownZones } from '../../parts/look/time-zone.ts'
import { useMay, useSession } from '../../parts/session/session.ts'
import { useEscalations } from './admin-calls.ts'
import classes from './on-call.module.css'
import type { RuleDraft } from './rule-draft.ts'

type FieldsProps = { draft: RuleDraft; set: (part: Partial<RuleDraft>) => void }
type Props = FieldsProps & {
  /** The rule has windows of hours that this form does not change. */
  isFixed: boolean
  faults: Readonly<Record<string, string>>
}

/** Escalation, summary, days, hours and further conditions of a rule. */
export function RuleMoreFields({ draft, set, isFixed, faults }: Props) {
  const t = useWords()
  const escalations = useEscalations().data?.data ?? []
  const faultOf = (place: string) =>
    Object.entries(faults).find(([field]) => field.startsWith(place))?.[1]
  return (
    <>
      <Select
        label={t('rule-more.escalation')}
        allowDeselect={false}
        data={[
          { value: '', label: t('rule-more.noEscalation') },
          ...escalations.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        value={draft.escalation}
        error={faultOf('longreach.escalation')}
        onChange={(escalation) => set({ escalation: escalation ?? '' })}
      />
      <DigestFields draft={draft} set={set} />
      <Fieldset legend={t('rule-more.more')} className={classes.box}>
        <TagsInput
          label={t('rule-more.expressions')}
          description={t('rule-more.expressionsHelp')}
          splitChars={[]}
          value={draft.expressions}
          error={faultOf('extraFilters')}
          onChange={(expressions) => set({ expressions })}
        />
        <GroupField draft={draft} set={set} />
        <TimeFields draft={draft} set={set} isFixed={isFixed} />
        <Checkbox
          label={t('rule-more.below')}
          checked={draft.below}
          onChange={(event) => set({ below: event.currentTarget.checked })}
        />
        <TextInput
          label={t('rule-more.description')}
          value={draft.description}
          maxLength={2_000}
          onChange={(event) => set({ description: event.currentTarget.value })}
        />
      </Fieldset>
    </>
  )
}

function DigestFields({ draft, set }: FieldsProps) {
  const t = useWords()
  return (
    <div className={classes.pair}>
      <Select
        label={t('rule-more.digest')}
        allowDeselect={false}
        data={(['none', 'at', 'every'] as const).map((value) => ({
          value,
          label: t(`rule-more.digest.${value}`),
        }))}
        value={draft.digest}
        onChange={(digest) => set({ digest: digest ?? 'none' })}
      />
      {draft.digest === 'at' && (
        <TagsInput
          label={t('rule-more.digestTimes')}
          description={t('rule-more.digestTimesHelp')}
          value={draft.digestTimes}
          maxTags={24}
          onChange={(digestTimes) => set({ digestTimes })}
        />
      )}
      {draft.digest === 'every' && (
        <NumberInput
          label={t('rule-more.digestHours')}
          value={draft.digestHours}
          min={1}
          max={168}
          allowDecimal={false}
          onChange={(hours) => set({ digestHours: Number(hours) || 1 })}
        />
      )}
    </div>
  )
}

/** Device groups of the organization by their names; who may not read them sees the chosen ids. */
function GroupField({ draft, set }: FieldsProps) {
  const t = useWords()
  const org = useSession().organization.resourceId
  const may = useMay()
  const groups = useQuery({
    ...query(api.core.securityPolicies, { params: { org }, query: { pageSize: 200 } }),
    enabled: may('devicegroups:read'),
  }).data
  const known = (groups?.content ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
  const others = draft.deviceGroups.filter((id) => !known.some(({ value }) => value === id))
  return (
    <MultiSelect
      label={t('rule-more.groups')}
      description={t('rule-more.groupsHelp')}
      searchable
      data={[...known, ...others]}
      value={draft.deviceGroups}
      onChange={(deviceGroups) => set({ deviceGroups })}
    />
  )
}

function TimeFields({ draft, set, isFixed }: Omit<Props, 'faults'>) {
  const t = useWords()
  const { locale } = useIntl()
  const { format } = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' })
  const { hours } = draft
  return (
    <>
      <Checkbox.Group
        label={t('rule-more.days')}
        description={t('rule-more.daysHelp')}
        value={draft.days}
        onChange={(days) => set({ days })}
      >
        <Group gap="sm" mt="xs">
          {[1, 2, 3, 4, 5, 6, 0].map((day) => (
            <Checkbox
              key={day}
              value={String(day)}
              // The 4th of January 1970 was a Sunday.
              label={format(new Date((3 + day) * 86_400_000))}
            />
          ))}
        </Group>
      </Checkbox.Group>
      {!isFixed && (
        <Switch
          label={t('rule-more.onlyHours')}
          checked={hours !== null}
          onChange={(event) =>
            set({ hours: event.currentTarget.checked ? { from: '06:00', to: '22:00' } : null })
          }
        />
      )}
      <div className={classes.pair}>
        {hours &&
          !isFixed &&
          (['from', 'to'] as const).map((name) => (
            <TextInput
              key={name}
              type="time"
              label={t(`rule-more.${name}`)}
              value={hours[name]}
              onChange={(event) => set({ hours: { ...hours, [name]: event.currentTarget.value } })}
            />
          ))}
        <Select
          label={t('rule-more.zone')}
          searchable
          limit={100}
          allowDeselect={false}
          data={knownZones()}
          value={draft.zone}
          onChange={(zone) => set({ zone: zone ?? 'UTC' })}
        />
      </div>
    </>
  )
}
