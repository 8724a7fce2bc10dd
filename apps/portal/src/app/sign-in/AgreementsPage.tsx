import { Button } from '@mantine/core'
import { FormShell } from '@longreach/ui/FormShell'
import { useWords } from '@longreach/ui/use-words'
import { type FormEvent, useState } from 'react'
import { useErrorText } from '../../parts/words/error-text.ts'
import { AgreementChoice } from '../../parts/agreements/AgreementChoice.tsx'
import classes from '../../parts/agreements/AgreementChoice.module.css'
import { missing } from '../../parts/agreements/agreement-rules.ts'
import { SignInHeading } from './SignInHeading.tsx'
import { SignOutButton } from '../session/SignOutButton.tsx'
import { useFocusOnFault } from './use-focus-on-fault.ts'
import type { Pending } from './pending-agreements.ts'

type State = { pending: boolean; wrong: readonly number[]; error?: string }

/** Page of agreements before the portal opens; declining a mandatory one signs out. */
export function AgreementsPage({ pending: asked }: { pending: Pending }) {
  const t = useWords()
  const errorText = useErrorText()
  const focusFirstFault = useFocusOnFault()
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set())
  const [state, setState] = useState<State>({ pending: false, wrong: [] })
  const { agreements, reading } = asked
  const mandatory = agreements.some((one) => one.mandatory)
  const tick = (id: number, on: boolean) => {
    const next = new Set(ticked)
    if (on) next.add(id)
    else next.delete(id)
    setTicked(next)
    setState({ pending: false, wrong: state.wrong.filter((one) => one !== id) })
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const wrong = reading ? [] : missing(agreements, ticked)
    if (wrong.length > 0) {
      setState({ pending: false, wrong })
      return focusFirstFault()
    }
    setState({ pending: true, wrong: [] })
    try {
      if (!reading && ticked.size > 0) await asked.accept([...ticked])
      asked.goOn()
    } catch (error) {
      setState({ pending: false, wrong: [], error: errorText(error).message })
    }
  }
  return (
    <>
      <SignInHeading title={t('agreements.title')}>
        {t(reading ? 'agreements.readText' : 'agreements.text')}
      </SignInHeading>
      <FormShell
        verb={t('agreements.goOn')}
        pending={state.pending}
        error={state.error}
        onSubmit={(event) => void submit(event)}
        wide
      >
        <div className={classes.list}>
          {agreements.length === 0 && <p>{t('agreements.none')}</p>}
          {agreements.map((one) => (
            <AgreementChoice
              key={one.id}
              agreement={one}
              error={state.wrong.includes(one.id) ? t('agreements.needed') : undefined}
              {...(!reading && {
                checked: ticked.has(one.id),
                onChange: (on: boolean) => tick(one.id, on),
              })}
            />
          ))}
        </div>
      </FormShell>
      {!reading && (
        <div className={classes.rest}>
          {mandatory ? (
            <SignOutButton signOut={asked.signOut} label={t('agreements.decline')} margin="0" />
          ) : (
            <Button variant="subtle" onClick={asked.goOn}>
              {t('agreements.later')}
            </Button>
          )}
        </div>
      )}
    </>
  )
}
