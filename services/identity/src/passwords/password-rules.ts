export const shortestPassword = 8
export const longestPassword = 512

/** Common passwords, in lower case and without digits and signs at both ends. */
const common = new Set(
  `password passwordpassword password1234 passw0rdpassw0rd adminadminadmin administrator
  administrateur administrador amministratore letmeinletmein welcomewelcome welcome12345
  changemechangeme changeme1234 qwertyuiop qwertyuiopas qwertyuiopasdfgh qwertzuiop qwertzuiopasdf
  azertyuiop azertyuiopqs asdfghjkl asdfghjklzxc zxcvbnm 1q2w3e4r5t6y 1qaz2wsx3edc qazwsxedcrfv
  iloveyouiloveyou sunshinesunshine monkeymonkey dragondragon footballfootball baseballbaseball
  trustno1trustno1 correcthorsebatterystaple superpassword supersecret secretsecret masterpassword
  passwort passwortpasswort geheimgeheim contraseña contrasenacontrasena motdepasse
  motdepassemotdepasse passwordsegreta princess sunshine football baseball superman starwars
  whatever computer internet changeme letmein1 iloveyou trustno1 qwerty12 qwerty123 qwertzui
  abcd1234 a1b2c3d4 1q2w3e4r aa123456 passw0rd p@ssw0rd p@ssword password1 admin123 admin1234
  rootroot testtest test1234 guest123 default1 michelle jennifer charlotte liverpool arsenal1
  hello123 schalke04 fussball sommer12 passwort1 contraseña1 bonjour1 doudou12 juventus1 ciaociao
  welcome willkommen bienvenue bienvenido benvenuto hello letmein qwerty qwertz azerty admin root
  test guest user demo login master secret shadow dragon monkey summer winter spring autumn sommer
  herbst frühling verano invierno estate inverno maintenance operator technician service scada
  siemens factory machine industrial industrie longreach longreachlongreach`
    .split(/\s+/)
    .filter(Boolean),
)

export type PasswordFault = 'too_short' | 'too_long' | 'like_name' | 'common' | 'unprintable'

/** Rule that a new password breaks, or undefined. The length is in characters after NFKC, not in bytes. */
export function passwordFault(password: string, username: string): PasswordFault | undefined {
  const length = [...password.normalize('NFKC')].length
  if (length < shortestPassword) return 'too_short'
  if (length > longestPassword) return 'too_long'
  if (/\p{Cc}/u.test(password)) return 'unprintable'
  const plain = password.normalize('NFKC').toLowerCase()
  if (isName(plain, username.toLowerCase())) return 'like_name'
  const core = plain.replace(/^[\d\W_]+|[\d\W_]+$/gu, '')
  return common.has(plain) || common.has(core) || isMonotonous(plain) ? 'common' : undefined
}

/** Test that a text is the user name, with or without its domain, or the name at some host. */
function isName(text: string, username: string) {
  const [name] = username.split('@')
  return (
    text === username ||
    text === name ||
    (/^[^@]+@[\w.-]+$/.test(text) && text.split('@')[0] === name)
  )
}

/** Test for one or two repeated characters, or a run such as `123456789012`. */
function isMonotonous(text: string) {
  const codes = [...text].map((character) => character.codePointAt(0) ?? 0)
  if (new Set(codes).size <= 2) return true
  const steps = codes.slice(1).map((code, index) => code - (codes[index] ?? 0))
  const runs = steps.filter((step) => step === 1 || step === -1 || step === -9).length
  return runs >= steps.length - 1
}

/** English message of each broken rule for callers; the sign-in pages have texts in five languages. */
const passwordAdvice: Record<PasswordFault, string> = {
  too_short: `The password needs at least ${shortestPassword} characters. A few unrelated words work well.`,
  too_long: `The password may have at most ${longestPassword} characters.`,
  like_name: 'The password must not be the user name.',
  common: 'This password is too common. Choose another.',
  unprintable: 'The password contains a control character.',
}

/** Details of `password_refused`: the broken rule, the limits and a message. */
export const refusedPassword = (fault: PasswordFault) => ({
  message: passwordAdvice[fault],
  fault,
  shortest: shortestPassword,
  longest: longestPassword,
})
