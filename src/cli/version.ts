declare const RECON_VERSION: string;

/** The version of this recon, as package.json has it. */
export const reconVersion = RECON_VERSION;
