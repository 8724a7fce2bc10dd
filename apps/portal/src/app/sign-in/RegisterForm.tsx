import { Button, Fieldset, PasswordInput, TextInput } from '@mantine/core'
import { FormShell } from '@longreach/ui/FormShell'
import { useWords } from '@longreach/ui/use-words'
import { useState } from 'react'
import { AgreementChoice } from '../../parts/agreements/AgreementChoice.tsx'
import choices from '../../parts/agreements/AgreementChoice.module.css'
import { SignInHeading } from './SignInHeading.tsx'
import { Registered } from './Registered.tsx'
import { shortName } from './register-rules.ts'
import classes from './SetupPage.module.css'
import { type Onboarding, useRegistration } from './use-registration.ts'

type Filled = { registration: ReturnType<typeof useRegistration> }

/** Organization, person and agreements; what the server refuses is told at its field. */
export function RegisterForm({ facts }: { facts: Onboarding }) {
  const t = useWords()
  const { mail, parent, agreements } = facts
  const registration = useRegistration(facts)
  const { state, send, ticked, tick } = registration
  if (state.done) return <Registered {...state.done} />
  return (
    <>
      <SignInHeading title={t('register.title')}>
        {parent === null ? t('register.text') : t('register.textBelow', { parent })}
      </SignInHeading>
      <FormShell
        verb={t('register.go')}
        pending={state.pending}
        error={state.error}
        onSubmit={send}
        wide
      >
        <OrganizationFields registration={registration} />
        <PersonFields registration={registration} mail={mail} />
        {agreements.length > 0 && (
          <div className={choices.list}>
            {agreements.map((one) => (
              <AgreementChoice
                key={one.id}
                agreement={one}
                checked={ticked.has(one.id)}
                onChange={(on) => tick(one.id, on)}
                error={state.wrong.includes(one.id) ? t('register.accept') : undefined}
              />
            ))}
          </div>
        )}
      </FormShell>
      <Button component="a" href="/login" variant="subtle" mt="md" fullWidth>
        {t('register.haveAccount')}
      </Button>
    </>
  )
}

type RegisterField =
  | 'organization.label'
  | 'organization.name'
  | `user.${'firstName' | 'lastName' | 'email' | 'username' | 'password'}`

function useField({ registration: { form } }: Filled) {
  const t = useWords()
  return (name: RegisterField) => ({
    size: 'sm' as const,
    label: t(`register.${name}`),
    spellCheck: false,
    ...form.getInputProps(name),
  })
}

/** Fields for the organization's name; the short name is derived from it until it is typed. */
function OrganizationFields({ registration }: Filled) {
  const t = useWords()
  const field = useField({ registration })
  const [named, setNamed] = useState(false)
  const label = field('organization.label')
  const name = field('organization.name')
  return (
    <>
      <TextInput
        {...label}
        onChange={(event) => {
          label.onChange(event)
          const short = shortName(event.currentTarget.value)
          if (!named) registration.form.setFieldValue('organization.name', short)
        }}
        autoComplete="organization"
        // The one thing to do on this page.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
      />
      <TextInput
        {...name}
        onChange={(event) => {
          setNamed(true)
          name.onChange(event)
        }}
        description={t('register.nameHelp')}
        autoCapitalize="none"
      />
    </>
  )
}

function PersonFields({ registration, mail }: Filled & { mail: boolean }) {
  const t = useWords()
  const field = useField({ registration })
  return (
    <Fieldset legend={t('register.you')} className={classes.group}>
      <div className={classes.pair}>
        <TextInput {...field('user.firstName')} autoComplete="given-name" />
        <TextInput {...field('user.lastName')} autoComplete="family-name" />
      </div>
      {mail ? (
        <TextInput
          {...field('user.email')}
          description={t('register.emailHelp')}
          type="email"
          autoComplete="username"
        />
      ) : (
        <TextInput {...field('user.username')} autoComplete="username" autoCapitalize="none" />
      )}
      <PasswordInput
        {...field('user.password')}
        description={t('register.passwordHelp')}
        autoComplete="new-password"
      />
    </Fieldset>
  )
}
