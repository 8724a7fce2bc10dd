/**
 * Script of the sign-in pages: a form with `data-passkey` asks the browser for a passkey and sends the
 * result. In browsers without passkeys the form stays hidden.
 */
export const passkeyScript = `'use strict'
const able = 'PublicKeyCredential' in window && 'parseRequestOptionsFromJSON' in PublicKeyCredential
const ask = (kind, options) =>
  kind === 'create'
    ? navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
    : navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) })
for (const form of able ? document.querySelectorAll('form[data-passkey]') : []) {
  const { passkey: kind, options } = form.dataset
  const [button, failed] = [form.querySelector('button'), form.querySelector('[data-failed]')]
  form.hidden = false
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    button.disabled = true
    failed.hidden = true
    ask(kind, JSON.parse(options)).then(
      (credential) => {
        form.elements.passkey.value = JSON.stringify(credential.toJSON())
        form.submit()
      },
      () => {
        button.disabled = false
        failed.hidden = false
        button.focus()
      },
    )
  })
}
`

/** File name below `/auth/resources`. */
export const passkeyScriptName = 'passkey.js'
