import type { Language } from '../pages/words.ts'

/** Kind of mail: a link with a purpose, or a notice. */
export type MailKind =
  | 'password'
  | 'invitation'
  | 'email'
  | 'emailChanged'
  | 'registration'
  | 'registered'
  | 'accessRequest'
  | 'membershipInvitation'

/** Texts of one mail with `{placeholders}`. */
type Words = { subject: string; lead: string; action?: string; note: string }
type Dictionary = Record<MailKind, Words> & { copy: string; sender: string }

const en: Dictionary = {
  copy: 'If the button does not work, copy this address into your browser:',
  sender: 'Sent by Longreach at {origin}',
  password: {
    subject: 'Set a new password',
    lead: 'A new password was asked for {username}.',
    action: 'Set a new password',
    note: 'The link works once, for 15 minutes. If you did not ask for it, ignore this mail: nothing changes.',
  },
  invitation: {
    subject: 'You are invited to {organization}',
    lead: 'You have been given access to {organization}. Your user name is {username}. Choose a password to begin.',
    action: 'Accept the invitation',
    note: 'The link works once, for 7 days. After that, ask for a new invitation.',
  },
  email: {
    subject: 'Confirm your email address',
    lead: '{email} is to become the email address of {username}.',
    action: 'Confirm the address',
    note: 'The link works once, for 15 minutes. If you do not know about this, ignore this mail: nothing changes.',
  },
  emailChanged: {
    subject: 'Your email address was changed',
    lead: 'The email address of {username} is now {email}.',
    note: 'If it was not you who changed it, tell your administrator at once.',
  },
  registration: {
    subject: 'Confirm your registration',
    lead: '{organization} was registered with this email address. It is made when you confirm.',
    action: 'Confirm the registration',
    note: 'The link works once, for 24 hours. If it was not you, ignore this mail: nothing is made.',
  },
  registered: {
    subject: 'You have an account already',
    lead: 'Somebody, probably you, tried to register with this email address. It has an account already: sign in, or set a new password there.',
    action: 'Sign in',
    note: 'If it was not you, ignore this mail: nothing changes.',
  },
  accessRequest: {
    subject: '{person} asks for access to {organization}',
    lead: '{person} would like to be let into {organization}. Choose what they may do there, or decline.',
    action: 'Look at the request',
    note: 'You get this mail because you administer the organization.',
  },
  membershipInvitation: {
    subject: 'You are invited to {organization}',
    lead: '{person} invites you to join {organization} with the account that you have. You become a member when you accept.',
    action: 'Look at the invitation',
    note: 'The invitation is open for 30 days. If you do not know about it, decline it: nothing changes.',
  },
}

const de: Dictionary = {
  copy: 'Falls die Schaltfläche nicht funktioniert, kopieren Sie diese Adresse in Ihren Browser:',
  sender: 'Gesendet von Longreach unter {origin}',
  password: {
    subject: 'Neues Passwort festlegen',
    lead: 'Für {username} wurde ein neues Passwort angefordert.',
    action: 'Neues Passwort festlegen',
    note: 'Der Link gilt einmal und 15 Minuten lang. Wenn Sie ihn nicht angefordert haben, ignorieren Sie diese E-Mail: Es ändert sich nichts.',
  },
  invitation: {
    subject: 'Einladung zu {organization}',
    lead: 'Sie haben Zugang zu {organization} erhalten. Ihr Benutzername ist {username}. Wählen Sie zum Einstieg ein Passwort.',
    action: 'Einladung annehmen',
    note: 'Der Link gilt einmal und 7 Tage lang. Bitten Sie danach um eine neue Einladung.',
  },
  email: {
    subject: 'E-Mail-Adresse bestätigen',
    lead: '{email} soll die E-Mail-Adresse von {username} werden.',
    action: 'Adresse bestätigen',
    note: 'Der Link gilt einmal und 15 Minuten lang. Wenn Sie davon nichts wissen, ignorieren Sie diese E-Mail: Es ändert sich nichts.',
  },
  emailChanged: {
    subject: 'Ihre E-Mail-Adresse wurde geändert',
    lead: 'Die E-Mail-Adresse von {username} ist jetzt {email}.',
    note: 'Wenn Sie das nicht selbst waren, sagen Sie es sofort Ihrer Administration.',
  },
  registration: {
    subject: 'Registrierung bestätigen',
    lead: '{organization} wurde mit dieser E-Mail-Adresse registriert. Angelegt wird es, sobald Sie bestätigen.',
    action: 'Registrierung bestätigen',
    note: 'Der Link gilt einmal und 24 Stunden lang. Wenn Sie das nicht waren, ignorieren Sie diese E-Mail: Es wird nichts angelegt.',
  },
  registered: {
    subject: 'Sie haben bereits ein Konto',
    lead: 'Jemand, vermutlich Sie, wollte sich mit dieser E-Mail-Adresse registrieren. Es gibt dafür schon ein Konto: Melden Sie sich an oder legen Sie dort ein neues Passwort fest.',
    action: 'Anmelden',
    note: 'Wenn Sie das nicht waren, ignorieren Sie diese E-Mail: Es ändert sich nichts.',
  },
  accessRequest: {
    subject: '{person} bittet um Zugang zu {organization}',
    lead: '{person} möchte in {organization} aufgenommen werden. Legen Sie fest, was die Person dort darf, oder lehnen Sie ab.',
    action: 'Anfrage ansehen',
    note: 'Sie erhalten diese E-Mail, weil Sie die Organisation verwalten.',
  },
  membershipInvitation: {
    subject: 'Einladung zu {organization}',
    lead: '{person} lädt Sie ein, mit Ihrem bestehenden Konto {organization} beizutreten. Mitglied werden Sie erst, wenn Sie annehmen.',
    action: 'Einladung ansehen',
    note: 'Die Einladung gilt 30 Tage. Wenn Sie davon nichts wissen, lehnen Sie ab: Es ändert sich nichts.',
  },
}

const es: Dictionary = {
  copy: 'Si el botón no funciona, copie esta dirección en su navegador:',
  sender: 'Enviado por Longreach en {origin}',
  password: {
    subject: 'Establezca una contraseña nueva',
    lead: 'Se ha solicitado una contraseña nueva para {username}.',
    action: 'Establecer la contraseña',
    note: 'El enlace sirve una vez, durante 15 minutos. Si usted no lo ha pedido, ignore este correo: no cambia nada.',
  },
  invitation: {
    subject: 'Invitación a {organization}',
    lead: 'Le han dado acceso a {organization}. Su nombre de usuario es {username}. Elija una contraseña para empezar.',
    action: 'Aceptar la invitación',
    note: 'El enlace sirve una vez, durante 7 días. Después, pida una invitación nueva.',
  },
  email: {
    subject: 'Confirme su dirección de correo',
    lead: '{email} va a ser la dirección de correo de {username}.',
    action: 'Confirmar la dirección',
    note: 'El enlace sirve una vez, durante 15 minutos. Si no sabe de qué se trata, ignore este correo: no cambia nada.',
  },
  emailChanged: {
    subject: 'Su dirección de correo ha cambiado',
    lead: 'La dirección de correo de {username} es ahora {email}.',
    note: 'Si no la ha cambiado usted, avise enseguida a su administrador.',
  },
  registration: {
    subject: 'Confirme su registro',
    lead: '{organization} se ha registrado con esta dirección de correo. Se creará cuando usted lo confirme.',
    action: 'Confirmar el registro',
    note: 'El enlace sirve una vez, durante 24 horas. Si no ha sido usted, ignore este correo: no se crea nada.',
  },
  registered: {
    subject: 'Ya tiene una cuenta',
    lead: 'Alguien, probablemente usted, ha intentado registrarse con esta dirección de correo. Ya tiene una cuenta: inicie sesión o establezca allí una contraseña nueva.',
    action: 'Iniciar sesión',
    note: 'Si no ha sido usted, ignore este correo: no cambia nada.',
  },
  accessRequest: {
    subject: '{person} solicita acceso a {organization}',
    lead: '{person} desea entrar en {organization}. Elija qué podrá hacer allí o rechace la solicitud.',
    action: 'Ver la solicitud',
    note: 'Recibe este correo porque administra la organización.',
  },
  membershipInvitation: {
    subject: 'Invitación a {organization}',
    lead: '{person} le invita a unirse a {organization} con la cuenta que ya tiene. Será miembro cuando acepte.',
    action: 'Ver la invitación',
    note: 'La invitación vale 30 días. Si no sabe de qué se trata, rechácela: no cambia nada.',
  },
}

const fr: Dictionary = {
  copy: 'Si le bouton ne fonctionne pas, copiez cette adresse dans votre navigateur :',
  sender: 'Envoyé par Longreach à l’adresse {origin}',
  password: {
    subject: 'Définissez un nouveau mot de passe',
    lead: 'Un nouveau mot de passe a été demandé pour {username}.',
    action: 'Définir le mot de passe',
    note: 'Le lien sert une fois, pendant 15 minutes. Si vous ne l’avez pas demandé, ignorez ce message : rien ne change.',
  },
  invitation: {
    subject: 'Invitation à rejoindre {organization}',
    lead: 'Vous avez reçu un accès à {organization}. Votre nom d’utilisateur est {username}. Choisissez un mot de passe pour commencer.',
    action: 'Accepter l’invitation',
    note: 'Le lien sert une fois, pendant 7 jours. Passé ce délai, demandez une nouvelle invitation.',
  },
  email: {
    subject: 'Confirmez votre adresse e-mail',
    lead: '{email} doit devenir l’adresse e-mail de {username}.',
    action: 'Confirmer l’adresse',
    note: 'Le lien sert une fois, pendant 15 minutes. Si vous n’êtes pas au courant, ignorez ce message : rien ne change.',
  },
  emailChanged: {
    subject: 'Votre adresse e-mail a changé',
    lead: 'L’adresse e-mail de {username} est maintenant {email}.',
    note: 'Si ce changement ne vient pas de vous, prévenez tout de suite votre administrateur.',
  },
  registration: {
    subject: 'Confirmez votre inscription',
    lead: '{organization} a été inscrite avec cette adresse e-mail. Elle sera créée dès que vous confirmerez.',
    action: 'Confirmer l’inscription',
    note: 'Le lien sert une fois, pendant 24 heures. Si ce n’était pas vous, ignorez ce message : rien n’est créé.',
  },
  registered: {
    subject: 'Vous avez déjà un compte',
    lead: 'Quelqu’un, sans doute vous, a voulu s’inscrire avec cette adresse e-mail. Elle a déjà un compte : connectez-vous, ou définissez-y un nouveau mot de passe.',
    action: 'Se connecter',
    note: 'Si ce n’était pas vous, ignorez ce message : rien ne change.',
  },
  accessRequest: {
    subject: '{person} demande l’accès à {organization}',
    lead: '{person} souhaite accéder à {organization}. Choisissez ce que cette personne pourra y faire, ou refusez.',
    action: 'Voir la demande',
    note: 'Vous recevez ce message parce que vous administrez l’organisation.',
  },
  membershipInvitation: {
    subject: 'Invitation à rejoindre {organization}',
    lead: '{person} vous invite à rejoindre {organization} avec le compte que vous avez déjà. Vous en devenez membre si vous acceptez.',
    action: 'Voir l’invitation',
    note: 'L’invitation est valable 30 jours. Si vous n’êtes pas au courant, refusez-la : rien ne change.',
  },
}

const it: Dictionary = {
  copy: 'Se il pulsante non funziona, copia questo indirizzo nel browser:',
  sender: 'Inviato da Longreach all’indirizzo {origin}',
  password: {
    subject: 'Imposta una nuova password',
    lead: 'È stata chiesta una nuova password per {username}.',
    action: 'Imposta la password',
    note: 'Il link vale una volta, per 15 minuti. Se non l’hai chiesto tu, ignora questa e-mail: non cambia nulla.',
  },
  invitation: {
    subject: 'Invito a {organization}',
    lead: 'Hai ricevuto l’accesso a {organization}. Il tuo nome utente è {username}. Scegli una password per iniziare.',
    action: 'Accetta l’invito',
    note: 'Il link vale una volta, per 7 giorni. Dopo, chiedi un nuovo invito.',
  },
  email: {
    subject: 'Conferma il tuo indirizzo e-mail',
    lead: '{email} diventerà l’indirizzo e-mail di {username}.',
    action: 'Conferma l’indirizzo',
    note: 'Il link vale una volta, per 15 minuti. Se non ne sai nulla, ignora questa e-mail: non cambia nulla.',
  },
  emailChanged: {
    subject: 'Il tuo indirizzo e-mail è cambiato',
    lead: 'L’indirizzo e-mail di {username} ora è {email}.',
    note: 'Se non sei stato tu a cambiarlo, avvisa subito il tuo amministratore.',
  },
  registration: {
    subject: 'Conferma la registrazione',
    lead: '{organization} è stata registrata con questo indirizzo e-mail. Verrà creata quando confermi.',
    action: 'Conferma la registrazione',
    note: 'Il link vale una volta, per 24 ore. Se non sei stato tu, ignora questa e-mail: non viene creato nulla.',
  },
  registered: {
    subject: 'Hai già un account',
    lead: 'Qualcuno, probabilmente tu, ha provato a registrarsi con questo indirizzo e-mail. Ha già un account: accedi, oppure imposta lì una nuova password.',
    action: 'Accedi',
    note: 'Se non sei stato tu, ignora questa e-mail: non cambia nulla.',
  },
  accessRequest: {
    subject: '{person} chiede l’accesso a {organization}',
    lead: '{person} desidera entrare in {organization}. Scelga che cosa potrà fare oppure rifiuti.',
    action: 'Vedi la richiesta',
    note: 'Riceve questa e-mail perché amministra l’organizzazione.',
  },
  membershipInvitation: {
    subject: 'Invito a {organization}',
    lead: '{person} ti invita a entrare in {organization} con l’account che hai già. Ne farai parte quando accetti.',
    action: 'Vedi l’invito',
    note: 'L’invito vale 30 giorni. Se non ne sai nulla, rifiutalo: non cambia nulla.',
  },
}

export const mailWords: Record<Language, Dictionary> = { en, de, es, fr, it }
