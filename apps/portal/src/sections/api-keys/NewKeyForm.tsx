import type { Permission } from '@longreach/authorization/permissions'
import { FormShell } from '@longreach/ui/FormShell'
import { useWords } from '@longreach/ui/use-words'
import { Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { api } from '../../parts/api/api.ts'
import { type Failure, useErrorText } from '../../parts/words/error-text.ts'
import { useMay, useSession } from '../../parts/session/session.ts'
import { type ApiKey, keysChanged, useOwnName, usePossibleScopes } from './api-key-calls.ts'
import { OwnerSelect } from './OwnerSelect.tsx'
import { ScopeChoice } from './ScopeChoice.tsx'
import { linesOf, usualScopes } from './scope-rules.ts'
import { ValiditySelect } from './ValiditySelect.tsx'

type Props = { onMade: (key: ApiKey) => void; onCancel: () => void }

/** Form of a new key: its purpose, its owner and its actions. */
export function NewKeyForm({ onMade, onCancel }: Props) {
  const t = useWords()
  const self = useOwnName()
  const mayForOthers = useMay()('users:update')
  const [form, setForm] = useState({ label: '', validForDays: 90, addresses: '' })
  const { scopes, owner, setOwner, chosen, setChosen } = useScopes(self)
  const [tried, setTried] = useState(false)
  const labelField = useRef<HTMLInputElement>(null)
  const { create, failure } = useCreate(onMade)
  const label = form.label.trim()
  const submit = () => {
    setTried(true)
    if (label === '') return labelField.current?.focus()
    if (chosen.size === 0) return undefined
    const { validForDays } = form
    const owned = owner === self ? {} : { username: owner }
    const addresses = linesOf(form.addresses)
    return create({ label, validForDays, addresses, permissions: [...chosen], ...owned })
  }
  return (
    <FormShell
      verb={t('api-keys.create')}
      pending={create.isPending}
      error={generalOf(failure)}
      onCancel={onCancel}
      onSubmit={() => submit()}
    >
      <TextInput
        ref={labelField}
        data-autofocus
        label={t('api-keys.label')}
        description={t('api-keys.labelHelp')}
        value={form.label}
        maxLength={100}
        error={tried && label === '' ? t('api-keys.labelNeeded') : faultAt(failure, 'label')}
        onChange={(event) => setForm({ ...form, label: event.currentTarget.value })}
      />
      {mayForOthers && (
        <OwnerSelect value={owner} error={faultAt(failure, 'username')} onChange={setOwner} />
      )}
      <ValiditySelect
        value={form.validForDays}
        error={faultAt(failure, 'validForDays')}
        onChange={(validForDays) => setForm({ ...form, validForDays })}
      />
      <Textarea
        label={t('api-keys.addressesOptional')}
        description={t('api-keys.addressesHelp')}
        autosize
        minRows={1}
        maxRows={6}
        value={form.addresses}
        error={faultAt(failure, 'addresses')}
        onChange={(event) => setForm({ ...form, addresses: event.currentTarget.value })}
      />
      <ScopeChoice
        available={scopes}
        chosen={chosen}
        error={
          tried && chosen.size === 0 ? t('api-keys.scopesNeeded') : faultAt(failure, 'permissions')
        }
        onChange={setChosen}
      />
    </FormShell>
  )
}

type Body = NonNullable<Parameters<typeof api.core.createApiKey>[0]['body']>

function useCreate(onMade: (key: ApiKey) => void) {
  const errorText = useErrorText()
  const org = useSession().organization.resourceId
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: Body) => api.core.createApiKey({ params: { org }, body }),
    onSuccess: (key) => {
      onMade(key)
      return keysChanged()
    },
  })
  const create = Object.assign((body: Body) => mutate(body), { isPending })
  return { create, failure: error ? errorText(error) : undefined }
}

/** Owner of the key, the actions that the owner's keys can have, and those that are ticked. */
function useScopes(self: string) {
  const [owner, setOwner] = useState(self)
  const [ticked, setTicked] = useState<ReadonlySet<Permission>>()
  const scopes = usePossibleScopes(owner === self ? undefined : owner)
  const known = new Set(scopes.data)
  const wanted = ticked ?? usualScopes(scopes.data ?? [])
  return {
    scopes,
    owner,
    setOwner: (next: string) => {
      setOwner(next)
      setTicked(undefined)
    },
    chosen: new Set([...wanted].filter((right) => known.has(right))),
    setChosen: setTicked,
  }
}

const fieldOf = (name: string) => name.split('.')[0] ?? ''
const fields = ['label', 'username', 'validForDays', 'addresses', 'permissions']

/** Message of a failure that concerns no field of the form. */
const generalOf = (failure: Failure | undefined) =>
  failure && !Object.keys(failure.fields).some((name) => fields.includes(fieldOf(name)))
    ? failure.message
    : undefined

/** The server names places in a list too: `addresses.1`. */
const faultAt = (failure: Failure | undefined, field: string) =>
  failure && Object.entries(failure.fields).find(([name]) => fieldOf(name) === field)?.[1]
