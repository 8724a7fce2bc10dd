import { useWords } from '@longreach/ui/use-words'
import { Autocomplete, SegmentedControl, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { alarmsApi } from '../../../parts/alarms/alarm-calls.ts'
import type { Shelved } from '../../../parts/alarms/ShelveDialog.tsx'
import { api, query } from '../../../parts/api/api.ts'
import { useOrganizationNames } from '../../../parts/organizations/organization-names.ts'
import { useReach } from '../../../parts/session/reach.ts'
import { useMay, useSession } from '../../../parts/session/session.ts'
import { ruleOf } from '../rules/rule-calls.ts'
import classes from './shelves.module.css'

/** Target of a shelf that holds alarms of many devices. */
type Wide = Extract<Shelved, { type: string }>
const kinds = ['group', 'class', 'organization'] as const
type Kind = (typeof kinds)[number]

type Props = {
  onChange: (about: Wide | undefined) => void
  /** Nothing was chosen when the person pressed the button. */
  isMissing: boolean
}

/** Choice of what is shelved: a device group, a class of alarms, or an organization with all below it. */
export function ShelfTargetFields({ onChange, isMissing }: Props) {
  const t = useWords()
  const [kind, setKind] = useState<Kind>('group')
  const error = isMissing ? t('errors.field.required') : undefined
  const fields: Record<Kind, ReactNode> = {
    group: <ShelfGroupField {...{ onChange, error }} />,
    class: <ClassField {...{ onChange, error }} />,
    organization: <OrganizationField {...{ onChange, error }} />,
  }
  return (
    <>
      <div>
        <span id="shelf-kind" className={classes.label}>
          {t('alarm-shelves.target')}
        </span>
        <SegmentedControl
          fullWidth
          aria-labelledby="shelf-kind"
          data={kinds.map((value) => ({ value, label: t(`alarm-shelves.type.${value}`) }))}
          value={kind}
          onChange={(next) => {
            setKind(kinds.find((one) => one === next) ?? 'group')
            onChange(undefined)
          }}
        />
      </div>
      {fields[kind]}
    </>
  )
}

type FieldProps = { onChange: Props['onChange']; error: string | undefined }

function ShelfGroupField({ onChange, error }: FieldProps) {
  const t = useWords()
  const org = useSession().organization.resourceId
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text, 250)
  const { data } = useQuery({
    ...query(api.core.securityPolicies, {
      params: { org },
      query: { pageSize: 100, ...(search !== '' && { search }) },
    }),
    placeholderData: keepPreviousData,
  })
  const groups = data?.content ?? []
  return (
    <Select
      label={t('alarm-shelves.type.group')}
      description={t('alarm-shelves.groupHelp')}
      required
      searchable
      error={error}
      data={groups.map(({ id, name }) => ({ value: String(id), label: name }))}
      nothingFoundMessage={t('alarm-shelves.nothingFound')}
      onSearchChange={setText}
      onChange={(_, option) =>
        onChange(
          option === null ? undefined : { type: 'group', id: option.value, name: option.label },
        )
      }
    />
  )
}

function ClassField({ onChange, error }: FieldProps) {
  const t = useWords()
  const organization = useReach()
  const { data } = useQuery(
    query(alarmsApi.rules, { query: { organization, page: 0, pageSize: 200 } }),
  )
  const known = (data?.data ?? []).map((rule) => ruleOf(rule).class).filter((one) => one !== '')
  return (
    <Autocomplete
      label={t('alarm-shelves.type.class')}
      description={t('alarm-shelves.classHelp')}
      required
      maxLength={200}
      error={error}
      data={[...new Set(known)].toSorted()}
      onChange={(text) => {
        const name = text.trim()
        onChange(name === '' ? undefined : { type: 'class', id: name, name })
      }}
    />
  )
}

function OrganizationField({ onChange, error }: FieldProps) {
  const t = useWords()
  const { resourceId, label } = useSession().organization
  const names = new Map([[resourceId, label], ...useOrganizationNames()])
  const mayShelve = useMay()('alarms:update')
  return (
    <Select
      label={t('alarm-shelves.type.organization')}
      description={t(
        mayShelve ? 'alarm-shelves.organizationHelp' : 'alarm-shelves.organizationNeedsUpdate',
      )}
      disabled={!mayShelve}
      required
      searchable
      error={error}
      data={[...names].map(([value, name]) => ({ value, label: name }))}
      nothingFoundMessage={t('alarm-shelves.nothingFound')}
      onChange={(_, option) =>
        onChange(
          option === null
            ? undefined
            : { type: 'organization', id: option.value, name: option.label },
        )
      }
    />
  )
}
