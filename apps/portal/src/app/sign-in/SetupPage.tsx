import { Button, Fieldset, PasswordInput, TextInput } from '@mantine/core'
import { FormShell } from '@longreach/ui/FormShell'
import { useWords } from '@longreach/ui/use-words'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { earlyCalls } from '../../parts/api/early-calls.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { nameOf } from '../../parts/organizations/organization-name.ts'
import { SignInHeading } from './SignInHeading.tsx'
import classes from './SetupPage.module.css'

const empty = {
  token: '',
  organization: { label: '', name: '' },
  user: { firstName: '', lastName: '', username: '', email: '', password: '' },
}
type Values = typeof empty
const requiredFields = ['token', 'organization.name', 'user.username', 'user.password'] as const
type Field =
  | (typeof requiredFields)[number]
  | 'organization.label'
  | 'user.firstName'
  | 'user.lastName'
  | 'user.email'

/** The first run: the root organization and its owner, with the token that the server's console printed. */
export function SetupPage() {
  const t = useWords()
  const errorText = useErrorText()
  const [state, setState] = useState<{ pending: boolean; error?: string; realm?: string }>({
    pending: false,
  })
  const form = useForm({
    initialValues: empty,
    // Not on leaving a field: its message would push the button away from under the click.
    validate: (values) =>
      Object.fromEntries(
        requiredFields
          .filter((field) => valueAt(values, field).trim() === '')
          .map((field) => [field, t('door.setup.required')]),
      ),
  })
  const submit = form.onSubmit(async (values) => {
    setState({ pending: true })
    try {
      const made = await earlyCalls.setup({ body: bodyOf(values) })
      setState({ pending: false, realm: made.organization.realmName })
    } catch (error) {
      const { message, fields } = errorText(error)
      const known = Object.entries(fields).filter(([field]) => isField(field))
      form.setErrors(Object.fromEntries(known))
      setState({ pending: false, ...(known.length === 0 && { error: message }) })
    }
  })
  if (state.realm !== undefined) return <SetupDone realm={state.realm} />
  const toLabel = (label: string) =>
    form.setFieldValue('organization', labelled(form.values.organization, label))
  const field = (name: Field) => ({
    size: 'sm' as const,
    label: t(`door.setup.${name}`),
    spellCheck: false,
    ...form.getInputProps(name),
  })
  return (
    <>
      <SignInHeading title={t('door.setup.title')}>{t('door.setup.text')}</SignInHeading>
      <FormShell
        verb={t('door.setup.go')}
        pending={state.pending}
        error={state.error}
        onSubmit={submit}
        wide
      >
        <TextInput
          {...field('token')}
          description={t('door.setup.tokenHelp')}
          autoComplete="one-time-code"
          className={classes.token}
          // The one thing to do on this page.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
        />
        <Fieldset legend={t('door.setup.organization')} className={classes.group}>
          <TextInput
            {...field('organization.label')}
            autoComplete="organization"
            onChange={(event) => toLabel(event.currentTarget.value)}
          />
          <TextInput
            {...field('organization.name')}
            description={t('door.setup.nameHelp')}
            autoCapitalize="none"
          />
        </Fieldset>
        <Fieldset legend={t('door.setup.owner')} className={classes.group}>
          <div className={classes.pair}>
            <TextInput {...field('user.firstName')} autoComplete="given-name" />
            <TextInput {...field('user.lastName')} autoComplete="family-name" />
          </div>
          <TextInput {...field('user.username')} autoComplete="username" autoCapitalize="none" />
          <TextInput {...field('user.email')} type="email" autoComplete="email" />
          <PasswordInput {...field('user.password')} autoComplete="new-password" />
        </Fieldset>
      </FormShell>
    </>
  )
}

/** With another label; a short name that nobody typed follows it. */
const labelled = ({ label: before, name }: Values['organization'], label: string) => ({
  label,
  name: name === nameOf(before) ? nameOf(label) : name,
})

const valueAt = (values: Values, field: string): string => {
  const [group = '', key = ''] = field.split('.')
  const part: unknown = values[group as keyof Values]
  return typeof part === 'string' ? part : ((part as Record<string, string>)[key] ?? '')
}

const isField = (field: string) => {
  const [group = '', key] = field.split('.')
  const part: unknown = Object.hasOwn(empty, group) ? empty[group as keyof Values] : undefined
  return key === undefined ? typeof part === 'string' : Object.hasOwn(Object(part), key)
}

const bodyOf = ({ token, organization, user }: Values) => ({
  token,
  organization: {
    name: organization.name.trim(),
    ...(organization.label.trim() !== '' && { label: organization.label }),
  },
  user: { ...user, email: user.email.trim() },
})

function SetupDone({ realm }: { realm: string }) {
  const t = useWords()
  return (
    <>
      <SignInHeading title={t('door.setup.done')}>
        {t('door.setup.doneText', { realm })}
      </SignInHeading>
      <Button component="a" href={`/?realm=${encodeURIComponent(realm)}`} fullWidth size="sm">
        {t('door.setup.signIn')}
      </Button>
    </>
  )
}
