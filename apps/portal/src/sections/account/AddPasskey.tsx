import { FormShell } from '@longreach/ui/FormShell'
import { useToast } from '@longreach/ui/Toasts'
import { type Translate, useWords } from '@longreach/ui/use-words'
import { Dialog } from '@longreach/ui/Dialog'
import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useErrorText } from '../../parts/words/error-text.ts'
import { accountChanged, useAccount, wantsSignIn } from './account-calls.ts'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import { AccountFailure } from './SignInAgain.tsx'

type Options = Parameters<typeof PublicKeyCredential.parseCreationOptionsFromJSON>[0]

/** Lets the browser make a passkey, and keeps it. */
export function AddPasskey({ onClose }: { onClose: () => void }) {
  const t = useWords()
  const errorText = useErrorText()
  const toast = useToast()
  const account = useAccount()
  const [label, setLabel] = useState('')
  const [codes, setCodes] = useState<readonly string[]>()
  const able = typeof PublicKeyCredential !== 'undefined'
  const add = useMutation({
    mutationFn: async () => {
      const options = (await account.startPasskey()) as unknown as Options // made by identity for this
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
      const made = await navigator.credentials.create({ publicKey })
      if (!(made instanceof PublicKeyCredential)) throw new DOMException('', 'NotAllowedError')
      return account.keepPasskey(made.toJSON(), label.trim())
    },
    onSuccess: async ({ recoveryCodes }) => {
      await accountChanged()
      toast({ message: t('account.passkeyAdded') })
      if (recoveryCodes && recoveryCodes.length > 0) setCodes(recoveryCodes)
      else onClose()
    },
  })
  const problem = problemOf(add.error, able, t, (error) => errorText(error).message)
  return (
    <Dialog
      onClose={onClose}
      closeOnClickOutside={false}
      title={t(codes ? 'account.factor.recovery-authn-codes' : 'account.addPasskey')}
    >
      {codes ? (
        <RecoveryCodes codes={codes} onDone={onClose} />
      ) : (
        <FormShell
          verb={t('account.makePasskey')}
          pending={add.isPending}
          error={problem}
          onCancel={onClose}
          onSubmit={() => {
            if (able) add.mutate()
          }}
        >
          <p style={{ margin: 0 }}>{t('account.passkeyText')}</p>
          <TextInput
            data-autofocus
            label={t('account.factorLabel')}
            placeholder={t('account.passkeyExample')}
            maxLength={100}
            value={label}
            onChange={(event) => setLabel(event.currentTarget.value)}
          />
          {wantsSignIn(add.error) && <AccountFailure error={add.error} />}
        </FormShell>
      )}
    </Dialog>
  )
}

function problemOf(
  error: unknown,
  able: boolean,
  t: Translate,
  textOf: (error: unknown) => string,
) {
  if (!able) return t('account.noPasskeysHere')
  if (error === null || wantsSignIn(error)) return undefined
  // The person closed the browser's window, or the machine has such a passkey already.
  if (error instanceof DOMException) {
    return t(error.name === 'InvalidStateError' ? 'account.passkeyThere' : 'account.passkeyNotMade')
  }
  return textOf(error)
}
