/** The version of this recon, as package.json has it; the build puts it in. */
declare const RECON_VERSION: string;
