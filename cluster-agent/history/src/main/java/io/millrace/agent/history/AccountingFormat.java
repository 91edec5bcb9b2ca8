package io.millrace.agent.history;

import io.millrace.agent.lsf.history.LsbAcctReader;
import io.millrace.agent.pbspro.accounting.PbsAccountingReader;
import io.millrace.agent.slurm.accounting.SacctReader;
import io.millrace.agent.torque.accounting.TorqueAccountingReader;
import io.millrace.agent.wlm.AccountingReader;
import io.millrace.model.ClusterId;
import java.time.ZoneId;
import java.util.Locale;
import java.util.function.BiFunction;

/** The formats that can be imported. */
enum AccountingFormat {
    /** {@code sacct --parsable2} with a header. */
    SLURM(SacctReader::new),
    /** {@code server_priv/accounting} of OpenPBS and PBS Pro. */
    PBS(PbsAccountingReader::new),
    /** {@code server_priv/accounting} of Torque. */
    TORQUE(TorqueAccountingReader::new),
    /** {@code lsb.acct} of LSF and OpenLava. */
    LSF((cluster, zone) -> new LsbAcctReader(cluster)),
    /** The history file of HTCondor, or {@code condor_history -long}. */
    HTCONDOR((cluster, zone) -> new CondorHistoryReader(cluster)),
    /** The short log of Cleo. */
    CLEO(CleoLogReader::new),
    /** The Standard Workload Format. */
    SWF((cluster, zone) -> new SwfLogReader(cluster));

    private final BiFunction<ClusterId, ZoneId, AccountingReader> reader;

    AccountingFormat(final BiFunction<ClusterId, ZoneId, AccountingReader> reader) {
        this.reader = reader;
    }

    /** @param zone of the times that the file contains without a zone */
    AccountingReader reader(final ClusterId cluster, final ZoneId zone) {
        return reader.apply(cluster, zone);
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
