# Reči od kojih se prave rečenice.

white = beli
    .gen = belog
    .dat = belom
    .acc = belog
    .ins = belim
black = crni
    .gen = crnog
    .dat = crnom
    .acc = crnog
    .ins = crnim

king = kralj
    .gen = kralja
    .acc = kralja
    .ins = kraljem
    .gender = m
queen = dama
    .gen = dame
    .acc = damu
    .ins = damom
    .gender = f
rook = top
    .gen = topa
    .acc = topa
    .ins = topom
    .gender = m
bishop = lovac
    .gen = lovca
    .acc = lovca
    .ins = lovcem
    .gender = m
knight = skakač
    .gen = skakača
    .acc = skakača
    .ins = skakačem
    .gender = m
pawn = pešak
    .gen = pešaka
    .acc = pešaka
    .ins = pešakom
    .gender = m

hours = { $n ->
    [one] { $n } sat
    [few] { $n } sata
   *[other] { $n } sati
}
minutes = { $n ->
    [one] { $n } minut
    [few] { $n } minuta
   *[other] { $n } minuta
}
    .gen = { $n ->
        [one] { $n } minuta
       *[other] { $n } minuta
    }
seconds = { $n ->
    [one] { $n } sekunda
    [few] { $n } sekunde
   *[other] { $n } sekundi
}
    .acc = { $n ->
        [one] { $n } sekundu
        [few] { $n } sekunde
       *[other] { $n } sekundi
    }
    .gen = { $n ->
        [one] { $n } sekunde
       *[other] { $n } sekundi
    }
seconds-and-parts = { $n } sekunde
decimal-point = ,

list-and = { $first } i { $last }

date = { $day }. { $month } { $year }.
month-1 = januar
month-2 = februar
month-3 = mart
month-4 = april
month-5 = maj
month-6 = jun
month-7 = jul
month-8 = avgust
month-9 = septembar
month-10 = oktobar
month-11 = novembar
month-12 = decembar

guidelines = Smernice
title-of = { $kind } ({ $by })
kind-illegal-move = nemoguć potez
kind-flag = pad zastavice
kind-default = kašnjenje preko vremena tolerancije
kind-claim-threefold = reklamacija remija: trokratno ponavljanje
kind-claim-fifty-moves = reklamacija remija: pedeset poteza
kind-claim-flag = reklamacija pada zastavice
kind-claim-illegal-move = reklamacija nemogućeg poteza
kind-claim-quickplay = reklamacija remija: ubrzani završetak
kind-call = poziv sudiji
kind-board-disagrees = tabla se ne slaže sa zapisom
kind-promotion = promovisana figura nije viđena
kind-illegal-position = nemoguća pozicija
kind-colours-reversed = zamenjene boje
kind-wrong-setup = pogrešna početna pozicija
kind-wrong-clock = pogrešno podešen sat
kind-device = elektronski uređaj
kind-result-signal = rezultat pokazan na tabli
kind-late-news = zakasnela poruka
kind-adjusted-at-table = vreme promenjeno na satu
kind-reports-lost = izgubljene poruke
kind-clock-time = sat ne radi tačno
kind-silent-device = uređaj se ne javlja
kind-clock-renewed = sat zamenjen ili ponovo uključen
kind-order-unknown = nepoznat redosled pritiska i poteza
kind-moves-missing = nedostaju potezi
kind-by-hand = partija se vodi ručno

ending-checkmate = mat
ending-stalemate = pat
ending-dead-position = mrtva pozicija
ending-flag = prekoračenje vremena
ending-flag-no-mate = pad zastavice, ali protivnik ne može da matira nikakvim nizom mogućih poteza
ending-illegal-moves = drugi nemoguć potez
ending-illegal-moves-no-mate = drugi nemoguć potez, ali protivnik ne može da matira nikakvim nizom mogućih poteza
ending-threefold = trokratno ponavljanje pozicije
ending-fivefold = petokratno ponavljanje pozicije
ending-fifty-moves = pravilo 50 poteza
ending-seventy-five-moves = pravilo 75 poteza
ending-agreement = sporazum igrača
ending-resignation = predaja
ending-resignation-no-mate = predaja, ali protivnik ne može da matira nikakvim nizom mogućih poteza
ending-default = nedolazak na vreme
ending-impossible-position = nemoguća pozicija nije ispravljena
ending-device = elektronski uređaj
ending-penalty = kazna
ending-arbiter = odluka sudije

category-standard = standardni šah
category-rapid = ubrzani šah
category-blitz = brzopotezni šah
