import { useWords } from '@longreach/ui/use-words'
import { FormDialog } from '@longreach/ui/FormDialog'
import { Checkbox, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, query } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { isFlagOffered } from './change-rules.ts'
import { nameOf } from '../../parts/organizations/organization-name.ts'
import { organizationsChanged } from './organization-calls.ts'

type Props = { parent: string; onClose: () => void; onMade: (org: string) => void }
const atFirst = { dataEnabled: true, vpnEnabled: true, dealer: false, privateAccess: false }
type Flag = keyof typeof atFirst
const flagNames = Object.keys(atFirst) as Flag[]
const nothingWrong = { message: undefined, fields: {} as Record<string, string> }

/** Makes an organization below the chosen one. */
export function NewOrganizationDialog({ parent, onClose, onMade }: Props) {
  const t = useWords()
  const errorText = useErrorText()
  const grants = useQuery(query(api.core.grants, { params: { org: parent } })).data
  const [label, setLabel] = useState('')
  const [typed, setTyped] = useState<string>()
  const [flags, setFlags] = useState(atFirst)
  const name = typed ?? nameOf(label)
  const allowed = {
    dataEnabled: grants?.allowEnableIotOnSuborg !== false,
    vpnEnabled: grants?.allowEnableVpnOnSuborg !== false,
    dealer: grants?.allowEnableDealerOnSuborg !== false,
    privateAccess: true,
  }
  const create = useMutation({
    mutationFn: () => {
      const chosen = Object.fromEntries(
        flagNames.map((flag) => [flag, flags[flag] && allowed[flag]]),
      )
      const body = { name, label: label.trim() || name, ...chosen }
      return api.core.createOrganization({ params: { org: parent }, query: {}, body })
    },
    onSuccess: async ({ resourceId }) => {
      await organizationsChanged()
      onMade(resourceId)
    },
  })
  const { message, fields } = create.error ? errorText(create.error) : nothingWrong
  const atField = ['name', 'label'].some((field) => fields[field] !== undefined)
  return (
    <FormDialog
      onClose={onClose}
      title={t('organizations.new')}
      verb={t('organizations.create')}
      pending={create.isPending}
      error={atField ? undefined : message}
      onSubmit={() => create.mutate()}
    >
      <TextInput
        data-autofocus
        label={t('organizations.label')}
        description={t('organizations.newBelow', { parent })}
        value={label}
        maxLength={255}
        error={fields['label']}
        onChange={(event) => setLabel(event.currentTarget.value)}
      />
      <TextInput
        label={t('organizations.name')}
        description={t('organizations.nameHelp', { path: `${parent}.${name || '…'}` })}
        value={name}
        maxLength={63}
        error={fields['name']}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Flags
        {...{ flags, allowed }}
        onChange={(flag, on) => setFlags((all) => ({ ...all, [flag]: on }))}
      />
    </FormDialog>
  )
}

type FlagsProps = {
  flags: Record<Flag, boolean>
  /** Settings that the organization above allows. */
  allowed: Record<Flag, boolean>
  onChange: (flag: Flag, on: boolean) => void
}

function Flags({ flags, allowed, onChange }: FlagsProps) {
  const t = useWords()
  return flagNames
    .filter(isFlagOffered)
    .map((flag) => (
      <Checkbox
        key={flag}
        label={t(`organizations.flag.${flag}`)}
        description={
          allowed[flag] ? t(`organizations.flagHelp.${flag}`) : t('organizations.notAbove')
        }
        checked={flags[flag] && allowed[flag]}
        disabled={!allowed[flag]}
        onChange={(event) => onChange(flag, event.currentTarget.checked)}
      />
    ))
}
