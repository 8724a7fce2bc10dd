const en = {
  secondFactorTitle: 'Two-factor authentication',
  codeText: 'Enter the 6-digit code from your authenticator app for {username}.',
  code: 'Code',
  codeWrong: 'Incorrect code, or it was already used. Wait for the next code.',
  confirm: 'Continue',
  useRecovery: 'Use a recovery code',
  recoveryText: 'Enter one of your recovery codes. Each code can be used once.',
  recoveryCode: 'Recovery code',
  recoveryWrong: 'Incorrect recovery code, or it was already used.',
  useCode: 'Use the authenticator app',
  passkeyText: 'Confirm with a passkey of {username}.',
  usePasskey: 'Use a passkey',
  passkeySignIn: 'Sign in with a passkey',
  passkeyFailed: 'The passkey did not work. Try again or use another method.',
  otherPerson: 'Use another account',
  totpTitle: 'Set up an authenticator app',
  totpText:
    'Scan the QR code with an authenticator app, then enter the 6-digit code that it shows.',
  totpWanted: 'This organization requires a second factor.',
  totpPicture: 'QR code for the authenticator app',
  totpKey: 'Cannot scan the QR code? Enter this key in the app:',
  deviceName: 'Device name (optional)',
  passkeyInstead: 'Set up a passkey instead',
  passkeyUseless: 'The passkey could not be set up. Try again or use an authenticator app.',
  cancel: 'Cancel',
  codesTitle: 'Save your recovery codes',
  codesText:
    'Use a recovery code to sign in if you lose your device. Each code can be used once. The codes are not shown again.',
  codesStored: 'I have saved the codes',
  updatePasswordTitle: 'Choose a new password',
  updatePasswordText: 'For {username}. Your other sessions will be signed out.',
  samePassword: 'This is your current password. Choose another one.',
  unprintable: 'The password contains a character that is not allowed.',
}
export type FactorWord = keyof typeof en
type Words = Record<FactorWord, string>

const de: Words = {
  secondFactorTitle: 'Zwei-Faktor-Authentifizierung',
  codeText: 'Geben Sie den 6-stelligen Code aus Ihrer Authenticator-App für {username} ein.',
  code: 'Einmalcode',
  codeWrong: 'Der Code ist falsch oder wurde bereits verwendet. Warten Sie auf den nächsten Code.',
  confirm: 'Weiter',
  useRecovery: 'Wiederherstellungscode verwenden',
  recoveryText:
    'Geben Sie einen Ihrer Wiederherstellungscodes ein. Jeder Code kann einmal verwendet werden.',
  recoveryCode: 'Wiederherstellungscode',
  recoveryWrong: 'Der Wiederherstellungscode ist falsch oder wurde bereits verwendet.',
  useCode: 'Authenticator-App verwenden',
  passkeyText: 'Bestätigen Sie mit einem Passkey von {username}.',
  usePasskey: 'Passkey verwenden',
  passkeySignIn: 'Mit Passkey anmelden',
  passkeyFailed:
    'Der Passkey hat nicht funktioniert. Versuchen Sie es erneut oder verwenden Sie eine andere Methode.',
  otherPerson: 'Anderes Konto verwenden',
  totpTitle: 'Authenticator-App einrichten',
  totpText:
    'Scannen Sie den QR-Code mit einer Authenticator-App und geben Sie den angezeigten 6-stelligen Code ein.',
  totpWanted: 'Diese Organisation verlangt einen zweiten Faktor.',
  totpPicture: 'QR-Code für die Authenticator-App',
  totpKey: 'Sie können den QR-Code nicht scannen? Geben Sie diesen Schlüssel in der App ein:',
  deviceName: 'Gerätename (optional)',
  passkeyInstead: 'Stattdessen einen Passkey einrichten',
  passkeyUseless:
    'Der Passkey konnte nicht eingerichtet werden. Versuchen Sie es erneut oder verwenden Sie eine Authenticator-App.',
  cancel: 'Abbrechen',
  codesTitle: 'Wiederherstellungscodes speichern',
  codesText:
    'Mit einem Wiederherstellungscode melden Sie sich an, wenn Sie Ihr Gerät verlieren. Jeder Code kann einmal verwendet werden. Die Codes werden nicht noch einmal angezeigt.',
  codesStored: 'Ich habe die Codes gespeichert',
  updatePasswordTitle: 'Neues Passwort wählen',
  updatePasswordText: 'Für {username}. Ihre anderen Sitzungen werden abgemeldet.',
  samePassword: 'Das ist Ihr aktuelles Passwort. Wählen Sie ein anderes.',
  unprintable: 'Das Passwort enthält ein unzulässiges Zeichen.',
}

const es: Words = {
  secondFactorTitle: 'Autenticación de dos factores',
  codeText: 'Introduzca el código de 6 dígitos de su aplicación de autenticación para {username}.',
  code: 'Código',
  codeWrong: 'El código es incorrecto o ya se ha utilizado. Espere al siguiente.',
  confirm: 'Continuar',
  useRecovery: 'Usar un código de recuperación',
  recoveryText: 'Introduzca uno de sus códigos de recuperación. Cada código se puede usar una vez.',
  recoveryCode: 'Código de recuperación',
  recoveryWrong: 'El código de recuperación es incorrecto o ya se ha utilizado.',
  useCode: 'Usar la aplicación de autenticación',
  passkeyText: 'Confirme con una llave de acceso de {username}.',
  usePasskey: 'Usar una llave de acceso',
  passkeySignIn: 'Iniciar sesión con una llave de acceso',
  passkeyFailed: 'La llave de acceso no ha funcionado. Inténtelo de nuevo o use otro método.',
  otherPerson: 'Usar otra cuenta',
  totpTitle: 'Configurar una aplicación de autenticación',
  totpText:
    'Escanee el código QR con una aplicación de autenticación e introduzca el código de 6 dígitos que muestra.',
  totpWanted: 'Esta organización exige un segundo factor.',
  totpPicture: 'Código QR para la aplicación de autenticación',
  totpKey: '¿No puede escanear el código QR? Introduzca esta clave en la aplicación:',
  deviceName: 'Nombre del dispositivo (opcional)',
  passkeyInstead: 'Configurar en su lugar una llave de acceso',
  passkeyUseless:
    'No se pudo configurar la llave de acceso. Inténtelo de nuevo o use una aplicación de autenticación.',
  cancel: 'Cancelar',
  codesTitle: 'Guarde sus códigos de recuperación',
  codesText:
    'Use un código de recuperación para iniciar sesión si pierde su dispositivo. Cada código se puede usar una vez. Los códigos no se vuelven a mostrar.',
  codesStored: 'He guardado los códigos',
  updatePasswordTitle: 'Elija una contraseña nueva',
  updatePasswordText: 'Para {username}. Se cerrarán sus demás sesiones.',
  samePassword: 'Es su contraseña actual. Elija otra.',
  unprintable: 'La contraseña contiene un carácter no permitido.',
}

const fr: Words = {
  secondFactorTitle: 'Authentification à deux facteurs',
  codeText:
    'Saisissez le code à 6 chiffres de votre application d’authentification pour {username}.',
  code: 'Code à usage unique',
  codeWrong: 'Code incorrect ou déjà utilisé. Attendez le code suivant.',
  confirm: 'Continuer',
  useRecovery: 'Utiliser un code de secours',
  recoveryText:
    'Saisissez l’un de vos codes de secours. Chaque code est utilisable une seule fois.',
  recoveryCode: 'Code de secours',
  recoveryWrong: 'Code de secours incorrect ou déjà utilisé.',
  useCode: 'Utiliser l’application d’authentification',
  passkeyText: 'Confirmez avec une clé d’accès de {username}.',
  usePasskey: 'Utiliser une clé d’accès',
  passkeySignIn: 'Se connecter avec une clé d’accès',
  passkeyFailed: 'La clé d’accès n’a pas fonctionné. Réessayez ou utilisez une autre méthode.',
  otherPerson: 'Utiliser un autre compte',
  totpTitle: 'Configurer une application d’authentification',
  totpText:
    'Scannez le code QR avec une application d’authentification, puis saisissez le code à 6 chiffres affiché.',
  totpWanted: 'Cette organisation exige un second facteur.',
  totpPicture: 'Code QR pour l’application d’authentification',
  totpKey: 'Impossible de scanner le code QR ? Saisissez cette clé dans l’application :',
  deviceName: 'Nom de l’appareil (facultatif)',
  passkeyInstead: 'Configurer plutôt une clé d’accès',
  passkeyUseless:
    'La clé d’accès n’a pas pu être configurée. Réessayez ou utilisez une application d’authentification.',
  cancel: 'Annuler',
  codesTitle: 'Enregistrez vos codes de secours',
  codesText:
    'Utilisez un code de secours pour vous connecter si vous perdez votre appareil. Chaque code est utilisable une seule fois. Les codes ne seront plus affichés.',
  codesStored: 'J’ai enregistré les codes',
  updatePasswordTitle: 'Choisissez un nouveau mot de passe',
  updatePasswordText: 'Pour {username}. Vos autres sessions seront fermées.',
  samePassword: 'C’est votre mot de passe actuel. Choisissez-en un autre.',
  unprintable: 'Le mot de passe contient un caractère non autorisé.',
}

const it: Words = {
  secondFactorTitle: 'Autenticazione a due fattori',
  codeText: 'Inserisci il codice a 6 cifre della tua app di autenticazione per {username}.',
  code: 'Codice',
  codeWrong: 'Codice errato o già usato. Attendi il codice successivo.',
  confirm: 'Continua',
  useRecovery: 'Usa un codice di recupero',
  recoveryText:
    'Inserisci uno dei tuoi codici di recupero. Ogni codice può essere usato una volta.',
  recoveryCode: 'Codice di recupero',
  recoveryWrong: 'Codice di recupero errato o già usato.',
  useCode: 'Usa l’app di autenticazione',
  passkeyText: 'Conferma con una passkey di {username}.',
  usePasskey: 'Usa una passkey',
  passkeySignIn: 'Accedi con una passkey',
  passkeyFailed: 'La passkey non ha funzionato. Riprova o usa un altro metodo.',
  otherPerson: 'Usa un altro account',
  totpTitle: 'Configura un’app di autenticazione',
  totpText:
    'Scansiona il codice QR con un’app di autenticazione, poi inserisci il codice a 6 cifre visualizzato.',
  totpWanted: 'Questa organizzazione richiede un secondo fattore.',
  totpPicture: 'Codice QR per l’app di autenticazione',
  totpKey: 'Non riesci a scansionare il codice QR? Inserisci questa chiave nell’app:',
  deviceName: 'Nome del dispositivo (facoltativo)',
  passkeyInstead: 'Configura invece una passkey',
  passkeyUseless:
    'Non è stato possibile configurare la passkey. Riprova o usa un’app di autenticazione.',
  cancel: 'Annulla',
  codesTitle: 'Salva i tuoi codici di recupero',
  codesText:
    'Usa un codice di recupero per accedere se perdi il dispositivo. Ogni codice può essere usato una volta. I codici non verranno più mostrati.',
  codesStored: 'Ho salvato i codici',
  updatePasswordTitle: 'Scegli una nuova password',
  updatePasswordText: 'Per {username}. Le altre tue sessioni verranno chiuse.',
  samePassword: 'È la tua password attuale. Scegline un’altra.',
  unprintable: 'La password contiene un carattere non consentito.',
}

/** Texts of the pages about second factors and required actions. */
export const factorWords = { en, de, es, fr, it }
